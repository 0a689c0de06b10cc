package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/gqlplan/plantest"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// TestPlansAnswerAsGqlgenDoes runs random operations both ways, with resolvers that
// randomly answer, refuse, fail, panic or omit values. Data must be byte-identical; errors
// and the resolvers' observations must be equal up to their order.
func TestPlansAnswerAsGqlgenDoes(t *testing.T) {
	const documents = 6000
	var planned, failed, voided, conditional int
	contract := Executable(nil, DirectiveRoot{}).Schema()
	given := func(r *moody) Config {
		return Config{Schema: contract, Resolvers: r, Directives: DirectiveRoot{Caller: moodyCaller}}
	}
	for seed := range uint64(documents) {
		g := &plantest.Generator{Schema: contract, Rand: rand.New(rand.NewPCG(seed, 1)), Depth: 2 + int(seed%6), Fields: 40}
		d := g.Query()
		if seed%3 == 0 {
			d = g.Mutation()
		}
		document, err := gqlparser.LoadQuery(contract, d.Text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, d.Text)
		}
		definition := document.Operations[0]
		variables, verr := validator.VariableValues(contract, definition, d.Variables)
		if verr != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, verr, d.Text, d.Variables)
		}
		plans := gqlplan.NewOperation(NewPlannedSchema(given(nil)), document, definition, 1000)
		plan := plans.Plan(variables)
		if plan == nil {
			continue
		}
		planned++
		run := func(seed uint64, execute func(context.Context, Config) []byte) (string, []string, []string) {
			r := &moody{seed: seed}
			ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{
				RawQuery: d.Text, Variables: variables, Doc: document, Operation: definition,
				RecoverFunc:            func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) },
				ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
				RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
			})
			ctx = graphql.WithResponseContext(ctx, presentWithContext, graphql.DefaultRecover)
			data := string(execute(ctx, given(r)))
			return data, texts(graphql.GetErrors(ctx)), r.sorted()
		}
		wantData, wantErrors, wantSeen := run(seed, func(ctx context.Context, c Config) []byte { return NewExecutableSchema(c).Exec(ctx)(ctx).Data })
		byPlan := func(ctx context.Context, c Config) []byte {
			return NewPlannedSchema(c).AppendPlan(ctx, plans.Plan(variables), nil)
		}
		forOne := func(ctx context.Context, c Config) []byte { return NewPlannedSchema(c).Exec(ctx)(ctx).Data }
		// Twice: state kept from the first run must not affect the second.
		for _, execute := range []func(context.Context, Config) []byte{byPlan, byPlan, forOne} {
			data, errs, seen := run(seed, execute)
			if data != wantData || !slices.Equal(errs, wantErrors) || !slices.Equal(seen, wantSeen) {
				t.Fatalf("seed %d: %s\n%v\ngot  %s\nwant %s\ngot  %q\nwant %q\ngot  %q\nwant %q",
					seed, d.Text, d.Variables, data, wantData, errs, wantErrors, seen, wantSeen)
			}
		}
		if len(wantErrors) > 0 {
			failed++
		}
		if strings.Contains(wantData, "null") {
			voided++
		}
		if strings.Contains(d.Text, "(if: $") {
			conditional++
		}
	}
	t.Logf("%d of %d documents were planned; %d with errors, %d with nulls, %d with conditions", planned, documents, failed, voided, conditional)
	if planned < documents*99/100 || failed < documents/4 || voided < documents/4 || conditional < documents/10 {
		t.Error("too few documents tell anything")
	}
}

// presentWithContext adds to an error what presenters can learn about its location.
func presentWithContext(ctx context.Context, err error) *gqlerror.Error {
	shown := graphql.DefaultErrorPresenter(ctx, err)
	copied := *shown
	copied.Extensions = map[string]any{"context": described(ctx), "path": graphql.GetPath(ctx).String()}
	return &copied
}

// described lists the field contexts from the current field to the root.
func described(ctx context.Context) string {
	var b strings.Builder
	for fc := graphql.GetFieldContext(ctx); fc != nil; fc = fc.Parent {
		if fc.Index != nil {
			fmt.Fprintf(&b, "[%d] ", *fc.Index)
			continue
		}
		args, err := json.Marshal(fc.Args)
		if err != nil {
			panic(err)
		}
		name := ""
		if fc.Field.Field != nil {
			name = fc.Field.Alias + ":" + fc.Field.Name
		}
		fmt.Fprintf(&b, "%s.%s(%s,%v,%v) ", fc.Object, name, args, fc.IsMethod, fc.IsResolver)
	}
	return b.String()
}

func texts(errs gqlerror.List) []string {
	var all []string
	for _, e := range errs {
		text, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

// moody is a resolver with pseudo-random answers that depend on its seed and the field's
// path. It records what its resolvers observe.
//
// It implements some fields of each kind; the others panic, as any resolver may.
type moody struct {
	ResolverRoot
	seed uint64
	mu   sync.Mutex
	seen []string
	// mutated lists the mutations in their order, which is guaranteed.
	mutated []string
}

func (m *moody) sorted() []string {
	slices.Sort(m.seen)
	return append(m.seen, m.mutated...)
}

func (m *moody) Query() QueryResolver                   { return moodyQuery{moody: m} }
func (m *moody) Mutation() MutationResolver             { return moodyMutation{moody: m} }
func (m *moody) User() UserResolver                     { return moodyUserFields{moody: m} }
func (m *moody) PaginatedPosts() PaginatedPostsResolver { return moodyPage{moody: m} }
func (m *moody) Post() PostResolver                     { return moodyPostFields{moody: m} }

type (
	moodyQuery struct {
		*moody
		QueryResolver
	}
	moodyUserFields struct {
		*moody
		UserResolver
	}
	moodyPage struct {
		*moody
		PaginatedPostsResolver
	}
	moodyPostFields struct {
		*moody
		PostResolver
	}
	moodyMutation struct {
		*moody
		MutationResolver
	}
)

type moodyKey struct{}

// moodyCaller admits most callers and marks the contexts of those.
func moodyCaller(ctx context.Context, _ any, next graphql.Resolver, status []social.UserStatus, _ *bool) (any, error) {
	switch len(graphql.GetPath(ctx).String()) % 7 {
	case 0:
		return nil, refusal.Forbiddenf("not for %v", status)
	case 1:
		return nil, nil
	}
	return next(context.WithValue(ctx, moodyKey{}, fmt.Sprint(status)))
}

// dice returns the random source for the current field.
func (m *moody) dice(ctx context.Context) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(graphql.GetPath(ctx).String()))
	return rand.New(rand.NewPCG(m.seed, h.Sum64()))
}

// answer records what the resolver observes, and lets it answer unless it is to fail.
func answer[T any](ctx context.Context, m *moody, make func(*rand.Rand) T) (T, error) {
	var none T
	var selected []string
	for _, f := range graphql.CollectFieldsCtx(ctx, nil) {
		selected = append(selected, f.Alias)
	}
	root := ""
	if r := graphql.GetRootFieldContext(ctx); r != nil {
		root = r.Object + "/" + r.Field.Alias
	}
	m.mu.Lock()
	if fc := graphql.GetFieldContext(ctx); fc.Object == "Mutation" {
		m.mutated = append(m.mutated, fc.Field.Alias)
	}
	m.seen = append(m.seen, fmt.Sprint(described(ctx), selected, root, ctx.Value(moodyKey{}), graphql.GetOperationContext(ctx).Variables))
	m.mu.Unlock()
	r := m.dice(ctx)
	switch r.IntN(24) {
	case 0:
		panic("bad mood")
	case 1:
		return none, refusal.Invalidf("no %d", r.IntN(3))
	case 2:
		return none, errors.New("disk on fire")
	case 3:
		return make(r), gqlerror.List{gqlerror.Errorf("one"), {Message: "two", Path: ast.Path{ast.PathName("elsewhere")}}}
	case 4:
		return none, nil
	case 5:
		graphql.AddError(ctx, errors.New("said already"))
		return none, nil
	}
	return make(r), nil
}

// moodyTexts contain no bytes that plans write differently from gqlgen: see jsonstring for
// invalid UTF-8 and the case of hexadecimal digits.
var moodyTexts = []string{"", "plain", `"quotes" \ and /slashes/`, "a\tb\nc\rd\x00e\x19f\x7f", "ümläut 🎈 \u2028", strings.Repeat("long ", 50)}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func perhaps(r *rand.Rand) *bool { return pick(r, nil, new(bool), &[]bool{true}[0]) }

// seldom returns values that are sometimes nil or, worse, empty.
func seldom[T any](r *rand.Rand, value *T) *T {
	switch r.IntN(30) {
	case 0:
		return nil
	case 1:
		return new(T) // its methods panic
	}
	return value
}

func moodyUser(r *rand.Rand) *social.SeenUser {
	u := &social.User{
		UserID: social.UserID(pick(r, moodyTexts...)), Username: pick(r, moodyTexts...), FullName: pick(r, moodyTexts...), Bio: pick(r, moodyTexts...),
		Email: pick(r, moodyTexts...), PhoneNumber: pick(r, moodyTexts...), Privacy: pick(r, social.Public, social.Private),
		SignedUpAt: time.Unix(int64(r.IntN(2e9)), int64(r.IntN(1e9))).In(time.FixedZone("", 3600)), FollowCountsHidden: perhaps(r), LikesDisabled: perhaps(r),
		FollowedCount: r.IntN(5) - 2, FollowerCount: r.IntN(1e9), PostCount: r.IntN(10),
	}
	viewer := pick(r, u.UserID, "vic")
	relation := social.Relation{Follows: pick(r, social.Following, social.NotFollowing), BlockedBy: r.IntN(5) == 0}
	return seldom(r, social.UserFacts{Viewer: viewer, Read: moodyDetails(r), User: u, Relation: relation}.See())
}

// moodyDetails returns details that are sometimes incomplete.
func moodyDetails(r *rand.Rand) social.Detail {
	if r.IntN(10) == 0 {
		return social.Detail(r.Uint64()) & social.Details.All()
	}
	return social.Details.All()
}

// moodyCast returns users that a text may mention, some of them deleted, and an owner.
func moodyCast(r *rand.Rand) (tags []social.TextTag, users social.SeenUsers) {
	own := &social.User{UserID: "vic", Username: pick(r, moodyTexts...), LikesDisabled: perhaps(r)}
	users = social.SeenUsers{"vic": social.UserFacts{Viewer: "vic", Read: moodyDetails(r), User: own}.See()}
	for i := range max(0, r.IntN(4)-1) {
		id := social.UserID(fmt.Sprint("tagged", i))
		tags = append(tags, social.TextTag{Tag: pick(r, moodyTexts...), UserID: id})
		users[id] = pick(r, nil, social.UserFacts{Viewer: "vic", Read: moodyDetails(r), User: &social.User{UserID: id, Username: pick(r, moodyTexts...)}}.See())
	}
	return tags, users
}

func moodyPost(r *rand.Rand) *social.SeenPost {
	tags, users := moodyCast(r)
	p := &social.Post{
		PostID: social.PostID(pick(r, moodyTexts...)), Type: pick(r, social.TextOnly, social.ImagePost), Status: pick(r, social.PostCompleted, social.PostStatus(`odd"`)),
		PostedByUserID: "vic", PostedAt: time.Unix(int64(r.IntN(2e9)), 0), Text: pick(r, moodyTexts...), TextTags: tags, Keywords: pick(r, nil, []string{}, moodyTexts),
		CommentsDisabled: perhaps(r), LikesDisabled: perhaps(r), CommentCount: r.IntN(4), OnymousLikeCount: r.IntN(4),
	}
	marks := social.Marks{Like: pick(r, "", social.OnymouslyLiked), Flagged: r.IntN(2) == 0}
	return seldom(r, social.PostFacts{Viewer: "vic", Read: moodyDetails(r), Post: p, Marks: marks}.See(users))
}

func moodyComment(r *rand.Rand) *social.SeenComment {
	tags, users := moodyCast(r)
	c := &social.Comment{
		CommentID: social.CommentID(pick(r, moodyTexts...)), UserID: "vic", CommentedAt: time.Unix(int64(r.IntN(2e9)), int64(r.IntN(1e9))),
		Text: pick(r, moodyTexts...), TextTags: tags,
	}
	return seldom(r, social.CommentFacts{Viewer: "vic", Read: moodyDetails(r), Comment: c, Flagged: r.IntN(2) == 0}.See(users))
}

func some[T any](r *rand.Rand, make func(*rand.Rand) T) (list []T) {
	for range max(0, r.IntN(5)-1) {
		list = append(list, make(r))
	}
	return list
}

func moodyToken(r *rand.Rand) string { return pick(r, "", pick(r, moodyTexts...)) }

func moodyPostPage(r *rand.Rand) *PaginatedPosts {
	return seldom(r, &PaginatedPosts{Page: page.Page[social.PostID]{Next: moodyToken(r)}})
}

func moodyUserPage(r *rand.Rand) *PaginatedUsers {
	return seldom(r, &PaginatedUsers{page.Page[*social.SeenUser]{Items: some(r, moodyUser), Next: moodyToken(r)}})
}

func (m moodyQuery) Self(ctx context.Context) (*social.SeenUser, error) {
	return answer(ctx, m.moody, moodyUser)
}

func (m moodyQuery) User(ctx context.Context, _ string) (*social.SeenUser, error) {
	return answer(ctx, m.moody, moodyUser)
}

func (m moodyQuery) Post(ctx context.Context, _ string) (*social.SeenPost, error) {
	return answer(ctx, m.moody, moodyPost)
}

func (m moodyQuery) UsernameStatus(ctx context.Context, _ string) (social.UsernameStatus, error) {
	return answer(ctx, m.moody, func(r *rand.Rand) social.UsernameStatus { return pick[social.UsernameStatus](r, "AVAILABLE", "") })
}

func (m moodyMutation) AddComment(ctx context.Context, _, _, _ string) (*social.SeenComment, error) {
	return answer(ctx, m.moody, moodyComment)
}

func (m moodyMutation) FollowUser(ctx context.Context, _ string) (*social.SeenUser, error) {
	return answer(ctx, m.moody, moodyUser)
}

func (m moodyMutation) UnfollowUser(ctx context.Context, _ string) (*social.SeenUser, error) {
	return answer(ctx, m.moody, moodyUser)
}

func (m moodyMutation) OnymouslyLikePost(ctx context.Context, _ string) (*social.SeenPost, error) {
	return answer(ctx, m.moody, moodyPost)
}

func (m moodyMutation) CreateCognitoOnlyUser(ctx context.Context, _ string, _ *string) (*social.SeenUser, error) {
	return answer(ctx, m.moody, moodyUser)
}

func (m moodyMutation) AddPost(ctx context.Context, _ string, _ *social.PostType, _, _, _ *string, _ []string, _ *ImageInput, _, _, _, _, _ *bool) (*social.SeenPost, error) {
	return answer(ctx, m.moody, moodyPost)
}

func (m moodyMutation) TriggerNotification(ctx context.Context, in NotificationInput) (*social.Notification, error) {
	return answer(ctx, m.moody, func(r *rand.Rand) *social.Notification { return seldom(r, &social.Notification{Type: in.Type}) })
}

func (m moodyUserFields) Feed(ctx context.Context, _ *social.SeenUser, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyUserFields) FollowedUsers(ctx context.Context, _ *social.SeenUser, _ *social.FollowStatus, _ *int, _ *string) (*PaginatedUsers, error) {
	return answer(ctx, m.moody, moodyUserPage)
}

func (m moodyUserFields) FollowerUsers(ctx context.Context, _ *social.SeenUser, _ *social.FollowStatus, _ *int, _ *string) (*PaginatedUsers, error) {
	return answer(ctx, m.moody, moodyUserPage)
}

func (m moodyUserFields) OnymouslyLikedPosts(ctx context.Context, _ *social.SeenUser, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyUserFields) AnonymouslyLikedPosts(ctx context.Context, _ *social.SeenUser, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyUserFields) Posts(ctx context.Context, _ *social.SeenUser, _ *social.PostStatus, _ *social.PostType, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyUserFields) PostsWithUnviewedComments(ctx context.Context, _ *social.SeenUser, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyUserFields) PostsByNewCommentActivity(ctx context.Context, _ *social.SeenUser, _ *int, _ *string) (*PaginatedPosts, error) {
	return answer(ctx, m.moody, moodyPostPage)
}

func (m moodyPage) Items(ctx context.Context, _ *PaginatedPosts, _ *social.ViewedStatus, _ *bool) ([]*social.SeenPost, error) {
	return answer(ctx, m.moody, func(r *rand.Rand) []*social.SeenPost { return some(r, moodyPost) })
}

func (m moodyPostFields) Comments(ctx context.Context, _ *social.SeenPost, _ *int, _ *string, _ *bool) (*PaginatedComments, error) {
	return answer(ctx, m.moody, func(r *rand.Rand) *PaginatedComments {
		return seldom(r, &PaginatedComments{page.Page[*social.SeenComment]{Items: some(r, moodyComment), Next: moodyToken(r)}})
	})
}

func (m moodyPostFields) OnymouslyLikedBy(ctx context.Context, _ *social.SeenPost, _ *int, _ *string) (*PaginatedUsers, error) {
	return answer(ctx, m.moody, moodyUserPage)
}
