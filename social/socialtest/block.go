package socialtest

// Block makes a user block another.
func (g Given) Block(blocker, blocked string) Given {
	return g.Does(blocker, `mutation { blockUser(userId: "{%s}") { blockedStatus } }`, blocked)
}
