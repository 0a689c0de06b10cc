package history_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	"stoa/internal/apptest"
)

// users holds users by id.
type users map[string]*user

type user struct {
	id, username, fullName, displayName, bio, language, theme, privacy, status string
	signedUpAt                                                                 time.Time
	diamond                                                                    bool
	grantedAt, expiresAt                                                       time.Time
	// chosen holds the settings that were ever set.
	chosen map[string]bool
	// viewedBy is the total number of viewers of the posts, including deleted ones.
	viewedBy int
	// said holds the other details by schema name, as shown.
	said shown
}

// The users of histories, and their texts. There are only a few of each, so that acts
// interact.
var (
	everybody = []string{"u1", "u2", "u3", "u4", "u5"}
	usernames = []string{"ana", "Ana", "ben", "cem", "dee", "real", "Real", "x", "", "b-b"}
	texts     = []string{"", "hello", "@ana and @ben, @ben", "@real.", "@Ana @nobody @cem"}
)

// profiles returns the acts that create the profiles: of all users but one.
func profiles() []act {
	var acts []act
	for i, name := range []string{"ana", "ben", "cem", "dee"} {
		acts = append(acts, act{By: everybody[i], Do: "createCognitoOnlyUser", Args: []arg{with("username", name)}})
	}
	return acts
}

var _ = add(area{
	acts: []kind{
		{4, func(d *draw) act {
			by := d.One(everybody)
			if a, ok := d.Earlier("resetUser"); ok {
				by = a.By
			}
			return act{By: by, Do: "createCognitoOnlyUser", Args: d.Some(1, with("username", d.One(usernames)), with("fullName", d.One(texts)))}
		}},
		{12, func(d *draw) act {
			return act{By: d.One(everybody), Do: "setUserDetails", Args: d.Some(0, with("username", d.One(usernames)), with("bio", d.One(texts)),
				with("displayName", d.One(texts)), with("themeCode", d.One(texts)), privacy(d), d.Choice("followCountsHidden"),
				d.Choice("likesDisabled"), d.Choice("commentsDisabled"), d.Choice("verificationHidden"), d.Choice("viewCountsHidden"), with("languageCode", d.One(texts)))}
		}},
		{3, func(d *draw) act {
			one := sayings[d.IntN(len(sayings))]
			return act{By: d.One(everybody), Do: "setUserDetails", Args: d.Some(1, with(one.name, one.given), with("fullName", d.One(texts)))}
		}},
		{5, func(d *draw) act {
			return act{By: d.One(everybody), Do: "setUserDetails", Args: []arg{privacy(d)}}
		}},
		{1, func(d *draw) act {
			if d.IntN(3) > 0 {
				return act{Do: "look"}
			}
			return act{By: d.One(everybody), Do: "disableUser"}
		}},
		{7, func(*draw) act { return act{Do: "look"} }},
	},
	mutations: map[string]mutation{
		"createCognitoOnlyUser": {"...U", (*model).create},
		"setUserDetails":        {"...U", (*model).setDetails},
		"disableUser":           {"...U", (*model).disable},
	},
	does: map[string]func(*apptest.World, *model, act){
		"look": func(*apptest.World, *model, act) {},
	},
	fragments: []fragment{
		{"Names", "User", `userId username`, func(m *model, _, id string) shown {
			return shown{"userId": "{" + id + "}", "username": m.users[id].username}
		}},
		{"U", "User", `...Names userStatus privacyStatus fullName displayName bio themeCode signedUpAt email phoneNumber
			languageCode followCountsHidden viewCountsHidden commentsDisabled likesDisabled sharingDisabled verificationHidden
			dateOfBirth gender height location { latitude longitude accuracy } matchGenders matchHeightRange { min max }`, (*model).profile},
	},
	rows: map[string]func(*model, row){
		"user profile": func(m *model, r row) {
			m.users[r.who("userId")] = &user{
				id: r.who("userId"), username: r.text("username"), fullName: r.text("fullName"), displayName: r.text("displayName"),
				bio: r.text("bio"), language: r.text("languageCode"), theme: r.text("themeCode"), privacy: r.text("privacyStatus"),
				diamond: r.text("subscriptionLevel") == "DIAMOND", grantedAt: r.maybe("subscriptionGrantedAt"), expiresAt: r.maybe("subscriptionExpiresAt"),
				status: cmp.Or(r.text("userStatus"), "ACTIVE"), signedUpAt: r.time("signedUpAt"), chosen: r.chosen(), said: r.said(), viewedBy: r.number("postViewedByCount"),
			}
		},
		"userEmail -": func(*model, row) {}, // says whose an address is
		"user banned": func(*model, row) {}, // is for those who come back
	},
})

// sayings lists values of details, as given and as shown or refused.
var sayings = []struct {
	name, refusal string
	given, shown  any
}{
	{name: "dateOfBirth", given: "1990-06-15", shown: "1990-06-15"},
	{name: "dateOfBirth", given: "2000-02-29", shown: "2000-02-29"},
	{name: "dateOfBirth", given: "2000-02-29Z", refusal: "dateOfBirth contains timezone information"},
	{name: "gender", given: enum("MALE"), shown: "MALE"},
	{name: "gender", given: enum("FEMALE"), shown: "FEMALE"},
	{name: "height", given: enum("0"), shown: 0},
	{name: "height", given: enum("118"), refusal: "Invalid height"},
	{name: "location", given: enum("{latitude: 1.5, longitude: -2}"), shown: shown{"latitude": 1.5, "longitude": -2, "accuracy": nil}},
	{name: "matchGenders", given: enum("[MALE, FEMALE]"), shown: []string{"MALE", "FEMALE"}},
	{name: "matchGenders", given: enum("[]"), refusal: "matchGenders cannot be empty"},
	{name: "matchHeightRange", given: enum("{min: 0, max: 80}"), shown: shown{"min": 0, "max": 80}},
}

// said returns the other details of a stored profile.
func (r row) said() shown {
	said := shown{}
	for _, s := range sayings {
		if value, ok := r[s.name]; ok {
			said[s.name] = value
		}
	}
	if location, ok := said["location"].(map[string]any); ok && location["accuracy"] == nil {
		location["accuracy"] = nil
	}
	return said
}

func privacy(d *draw) arg { return with("privacyStatus", enum(d.One([]string{"PUBLIC", "PRIVATE"}))) }

var usernameForm = regexp.MustCompile(`^[a-zA-Z0-9_.]{3,30}$`)

func (m *model) create(a act, _ *user, at time.Time) (shown, string) {
	name := a.Text("username")
	switch refusal := wrongName(name); {
	case refusal != "":
		return nil, refusal
	case m.deleted[a.By]:
		return nil, fmt.Sprintf("No entry found in cognito user pool with cognito username `{%s}`", a.By)
	case m.holder(name) != nil && m.holder(name) != m.users[a.By], m.reserved(name, a.By):
		return nil, fmt.Sprintf("Username `%s` already taken (case-insensitive comparison)", name)
	case m.users[a.By] != nil:
		return nil, fmt.Sprintf("User `{%s}` already exists", a.By)
	}
	u := &user{
		id: a.By, username: name, fullName: a.Text("fullName"), privacy: "PUBLIC", status: "ACTIVE",
		signedUpAt: at, chosen: map[string]bool{}, said: shown{},
	}
	m.users[u.id] = u
	if r := m.holder(leader); r != nil && r.username == leader && r != u && r.status == "ACTIVE" && !m.apart(u.id, r.id) {
		m.ask(u.id, r, at)
	}
	return m.show("U", u.id, u.id), ""
}

// disable changes only the status.
func (m *model) disable(a act, me *user, _ time.Time) (shown, string) {
	if me == nil {
		return nil, fmt.Sprintf("User `{%s}` does not exist", a.By)
	}
	me.status = "DISABLED"
	return m.show("U", me.id, me.id), ""
}

func wrongName(name string) string {
	switch {
	case name == "":
		return "Empty username"
	case !usernameForm.MatchString(name):
		return fmt.Sprintf("Username `%s` does not validate", name)
	default:
		return ""
	}
}

// reserved reports whether a user may not take a name although nobody has it.
func (m *model) reserved(name, by string) bool {
	return strings.EqualFold(name, leader) && by != moderator
}

// holder returns the user with a username, ignoring case, or nil.
func (m *model) holder(name string) *user {
	for _, u := range m.users {
		if strings.EqualFold(u.username, name) {
			return u
		}
	}
	return nil
}

func (m *model) setDetails(a act, me *user, _ time.Time) (shown, string) {
	if len(a.Args) == 0 {
		return nil, "Called without any arguments... probably not what you intended?"
	}
	for _, s := range sayings {
		if s.refusal != "" && a.Value(s.name) == s.given {
			return nil, s.refusal
		}
	}
	if a.Has("username") {
		name := a.Text("username")
		if refusal := wrongName(name); refusal != "" {
			return nil, refusal
		}
		if h := m.holder(name); h != nil && h != me || h == nil && m.reserved(name, me.id) {
			return nil, fmt.Sprintf("Username `%s` already taken (case-insensitive cmp)", name)
		}
		me.username = name
	}
	for name, field := range map[string]*string{
		"fullName": &me.fullName, "displayName": &me.displayName, "bio": &me.bio, "languageCode": &me.language, "themeCode": &me.theme,
	} {
		if a.Has(name) {
			*field = a.Text(name)
		}
	}
	a.Choices(me.chosen, append([]string{"followCountsHidden", "viewCountsHidden"}, postSwitches...))
	for _, s := range sayings {
		if a.Has(s.name) && a.Value(s.name) == s.given {
			me.said[s.name] = s.shown
		}
	}
	if a.Has("privacyStatus") {
		was := me.privacy
		me.privacy = a.Text("privacyStatus")
		if was == "PRIVATE" && me.privacy == "PUBLIC" {
			m.open(me)
		}
	}
	return m.show("U", me.id, me.id), ""
}

// sees reports whether a user can see the content of another.
func (m *model) sees(viewer, owner string) bool {
	return viewer == owner || !m.blocks[pair{owner, viewer}] &&
		(m.users[owner].privacy == "PUBLIC" || m.status(viewer, owner) == "FOLLOWING")
}

// profile returns the fields of a user that a viewer is shown.
func (m *model) profile(viewer, id string) shown {
	u := m.users[id]
	s := m.show("Names", viewer, id)
	s.put(!m.blocks[pair{id, viewer}], shown{
		"userStatus": u.status, "privacyStatus": u.privacy, "fullName": given(u.fullName),
		"displayName": given(u.displayName), "themeCode": cmp.Or(u.theme, "black.green"), "signedUpAt": instant(u.signedUpAt),
		"dateOfBirth": u.said["dateOfBirth"], "gender": u.said["gender"], "height": u.said["height"],
	})
	s.put(m.sees(viewer, id), shown{"bio": given(u.bio)})
	s.put(viewer == id, shown{
		"location": u.said["location"], "matchGenders": u.said["matchGenders"], "matchHeightRange": u.said["matchHeightRange"],
		"email": id + "@example.com", "phoneNumber": nil,
		"languageCode": cmp.Or(u.language, "en"), "followCountsHidden": u.chosen["followCountsHidden"], "viewCountsHidden": u.chosen["viewCountsHidden"],
		"commentsDisabled": u.chosen["commentsDisabled"], "likesDisabled": u.chosen["likesDisabled"],
		"sharingDisabled": u.chosen["sharingDisabled"], "verificationHidden": u.chosen["verificationHidden"],
	})
	return s
}

// listed filters out users who block the viewer of a list.
func (m *model) listed(viewer string, ids []string) shown {
	items := []shown{}
	for _, id := range ids {
		if !m.blocks[pair{id, viewer}] {
			items = append(items, m.show("U", viewer, id))
		}
	}
	return shown{"items": items}
}

// everyone returns queries for all users and usernames, and what a viewer is shown.
func (m *model) everyone(viewer string) (queries []string, s shown) {
	s = shown{}
	for _, id := range everybody {
		own := ""
		if id == viewer {
			own = "...Own"
		}
		queries = append(queries, fmt.Sprintf(`%s: user(userId: "{%s}") { ...U ...Lists %s }`, id, id, own))
		s[id] = nil
		if m.users[id] == nil {
			continue
		}
		u := m.show("U", viewer, id)
		maps.Copy(u, m.show("Lists", viewer, id))
		if id == viewer {
			maps.Copy(u, m.show("Own", viewer, id))
		}
		s[id] = u
	}
	for i, name := range usernames {
		alias := fmt.Sprint("name", i)
		queries = append(queries, fmt.Sprintf("%s: usernameStatus(username: %q)", alias, name))
		switch {
		case wrongName(name) != "":
			s[alias] = "INVALID"
		case m.holder(name) != nil, m.reserved(name, viewer):
			s[alias] = "NOT_AVAILABLE"
		default:
			s[alias] = "AVAILABLE"
		}
	}
	return queries, s
}
