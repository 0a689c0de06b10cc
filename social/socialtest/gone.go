package socialtest

// Gone deletes the account of a user.
func (g Given) Gone(name string) Given {
	return g.Does(name, `mutation { deleteUser { userId } }`)
}
