// Command inmem is the baseline of the benchmarks: unmodified gqlgen over maps in memory,
// with a document cache, without identity and without a disk.
package main

import (
	"context"
	"flag"
	"log"
	"net/http"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/bench/inmem/data"
	"stoa/bench/inmem/gen"
)

type callerKey struct{}

func caller(ctx context.Context) int { id, _ := ctx.Value(callerKey{}).(int); return id }

type (
	root     struct{ *data.Store }
	query    struct{ *data.Store }
	mutation struct{ *data.Store }
	post     struct{ *data.Store }
	comment  struct{ *data.Store }
	message  struct{ *data.Store }

	subscription struct{ *data.Store }
)

func (r root) Query() gen.QueryResolver       { return query(r) }
func (r root) Mutation() gen.MutationResolver { return mutation(r) }
func (r root) Post() gen.PostResolver         { return post(r) }
func (r root) Comment() gen.CommentResolver   { return comment(r) }
func (r root) Message() gen.MessageResolver   { return message(r) }

func (r root) Subscription() gen.SubscriptionResolver { return subscription(r) }

func (q query) User(_ context.Context, userID int) (*data.User, error) {
	return q.Store.User(userID), nil
}
func (q query) Post(_ context.Context, postID int) (*data.Post, error) {
	return q.Store.Post(postID), nil
}
func (q query) Feed(ctx context.Context, limit *int) ([]*data.Post, error) {
	return q.Store.Feed(caller(ctx), *limit), nil
}
func (m mutation) CreatePost(ctx context.Context, text string) (*data.Post, error) {
	return m.NewPost(caller(ctx), text), nil
}
func (m mutation) AddComment(ctx context.Context, postID int, text string) (*data.Comment, error) {
	return m.NewComment(caller(ctx), postID, text), nil
}
func (m mutation) LikePost(ctx context.Context, postID int) (*data.Post, error) {
	return m.Like(caller(ctx), postID), nil
}
func (m mutation) FollowUser(ctx context.Context, userID int) (*data.User, error) {
	return m.Follow(caller(ctx), userID), nil
}
func (m mutation) SendMessage(ctx context.Context, chatID int, text string) (*data.Message, error) {
	return m.Send(caller(ctx), chatID, text), nil
}
func (s subscription) Message(ctx context.Context, chatID int) (<-chan *data.Message, error) {
	return s.Listen(ctx, chatID), nil
}
func (m message) Author(_ context.Context, obj *data.Message) (*data.User, error) {
	return m.Store.User(obj.AuthorID), nil
}
func (p post) LikeStatus(ctx context.Context, obj *data.Post) (bool, error) {
	return p.Liked(caller(ctx), obj.ID), nil
}
func (p post) Author(_ context.Context, obj *data.Post) (*data.User, error) {
	return p.Store.User(obj.AuthorID), nil
}
func (p post) Comments(_ context.Context, obj *data.Post, limit *int) ([]*data.Comment, error) {
	return p.CommentsOf(obj.ID, *limit), nil
}
func (c comment) Author(_ context.Context, obj *data.Comment) (*data.User, error) {
	return c.Store.User(obj.AuthorID), nil
}

func main() {
	listen := flag.String("listen", "127.0.0.1:5010", "address to listen on; the header X-User holds the number of the caller")
	flag.Parse()
	srv := handler.New(gen.NewExecutableSchema(gen.Config{Resolvers: root{data.New()}}))
	srv.AddTransport(transport.Websocket{})
	srv.AddTransport(transport.POST{})
	srv.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	srv.Use(extension.AutomaticPersistedQuery{Cache: lru.New[string](1000)})
	http.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), callerKey{}, data.Atoi(r.Header.Get("X-User")))
		srv.ServeHTTP(w, r.WithContext(ctx))
	})
	log.Fatal(http.ListenAndServe(*listen, nil))
}
