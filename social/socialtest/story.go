package socialtest

import "fmt"

// Lifetime returns an argument of addPost.
func Lifetime(duration string) string { return fmt.Sprintf("lifetime: %q", duration) }

// Expires sets when a post expires; "" means never.
func (g Given) Expires(owner, id, at string) Given {
	if at == "" {
		return g.Does(owner, `mutation { editPostExpiresAt(postId: %q) { postId } }`, id)
	}
	return g.Does(owner, `mutation { editPostExpiresAt(postId: %q, expiresAt: %q) { postId } }`, id, at)
}
