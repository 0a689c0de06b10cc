package identity_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/viewer"
)

const given = "us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f"

// users T1, and contacts are verified at once in dev identity.
func TestSignUpInDev(t *testing.T) {
	h := newHouse(t)
	r := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201)
	id := viewer.UserID(r.text("userId"))
	if !id.Valid() || !strings.HasPrefix(string(id), "us-east-1:") {
		t.Errorf("issued %q", id)
	}
	if len(r.body) != 1 {
		t.Errorf("answered %s, want the user id alone", r.raw)
	}
	email, phone, found, err := h.issuer.Account(t.Context(), id)
	if email != "ana@example.com" || phone != "+12025550123" || !found || err != nil {
		t.Errorf("account is %q, %q, %t, %v; want both contacts verified", email, phone, found, err)
	}
	if stored, _, _ := h.store.Identity(t.Context(), id); !strings.HasPrefix(stored.PasswordHash, "$argon2id$") {
		t.Errorf("stored %q for the password", stored.PasswordHash)
	}
}

// users A1, A2, A3 and T1: ids, addresses and passwords that cannot sign up.
func TestSignUpRefusals(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, row := range []struct {
		name    string
		body    object
		status  int
		code    string
		message string
	}{
		{"no password", object{"email": "ben@example.com"}, 400, "INVALID", "Field `password` is required"},
		{"users A3 a short password", object{"password": "1234567"}, 400, "INVALID", "Invalid password: use 8 to 256 characters"},
		{"seven letters in many bytes", object{"password": "ééééééé"}, 400, "INVALID", "Invalid password: use 8 to 256 characters"},
		{"endless password", object{"password": long}, 400, "INVALID", "Invalid password: use 8 to 256 characters"},
		{"users A1 an id of another form", object{"userId": "ben", "password": password}, 400, "INVALID", "Invalid username format: `ben`"},
		{"users A1 an id of another form before anything else", object{"userId": "ben", "email": "Ben"}, 400, "INVALID", "Invalid username format: `ben`"},
		{"empty id", object{"userId": "", "password": password}, 400, "INVALID", "Invalid username format: ``"},
		{"users T1 an upper-case id", object{"userId": strings.ToUpper(given), "password": password}, 400, "INVALID", "Invalid username format: `" + strings.ToUpper(given) + "`"},
		{"users T1 an id of another version",
			object{"userId": "us-east-1:7f1c2c7e-52a4-1a0b-9c64-8e4e0e2d6d0f", "password": password}, 400, "INVALID", "Invalid username format: " +
				"`us-east-1:7f1c2c7e-52a4-1a0b-9c64-8e4e0e2d6d0f`"},
		{"id of another region", object{"userId": "eu-west-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", "password": password}, 400, "INVALID", "Invalid username format: " +
			"`eu-west-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f`"},
		{"users A2 an upper-case e-mail", object{"email": "Ben@example.com", "password": password}, 400, "INVALID", "User's email 'Ben@example.com' has upper case characters"},
		{"no e-mail", object{"email": "ben", "password": password}, 400, "INVALID", "Field `email` must be an address such as ana@example.com"},
		{"e-mail with a second header", object{"email": "ben@example.com\r\nbcc:x@y", "password": password}, 400, "INVALID", "Field `email` must be an address such as ana@example.com"},
		{"endless e-mail", object{"email": long + "@example.com", "password": password}, 400, "INVALID", "Field `email` must be an address such as ana@example.com"},
		{"no phone", object{"phone": "555-0123", "password": password}, 400, "INVALID", "Field `phone` must be a number in E.164 form such as +12025550123"},
		{"e-mail of somebody", object{"email": "ana@example.com", "password": password}, 409, "CONFLICT", "Email `ana@example.com` already taken"},
		{"phone of somebody", object{"phone": "+12025550123", "password": password}, 409, "CONFLICT", "Phone `+12025550123` already taken"},
		{"id of somebody", object{"userId": given, "password": password}, 409, "CONFLICT", "An account for userId `" + given + "` already exists"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			h.post("/auth/sign-up", object{"userId": given, "email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201)
			h.post("/auth/sign-up", row.body).refused(row.status, row.code, row.message)
			h.signIn("email", "ana@example.com").want(200)
		})
	}
}

// users A3: any eight characters are enough.
func TestPasswordsNeedLengthAlone(t *testing.T) {
	for _, password := range []string{"aaaaaaaa", "12345678", "        ", "éééééééé"} {
		h := newHouse(t)
		id := h.post("/auth/sign-up", object{"password": password}).want(201).text("userId")
		h.post("/auth/sign-in", object{"userId": id, "password": password}).want(200)
	}
}

func TestARefusedSignUpLeavesNothing(t *testing.T) {
	h := newHouse(t)
	h.post("/auth/sign-up", object{"phone": "+12025550123", "password": password}).want(201)
	body := object{"userId": given, "email": "ben@example.com", "phone": "+12025550123", "password": password}
	h.post("/auth/sign-up", body).refused(409, "CONFLICT", "Phone `+12025550123` already taken")
	if stored, found, err := h.store.Identity(t.Context(), given); found || err != nil {
		t.Errorf("stored %+v, %v", stored, err)
	}
	h.signIn("userId", given).want(401)
	delete(body, "phone")
	h.post("/auth/sign-up", body).want(201)
}

func TestSignUpOfAnAnonymousIdentity(t *testing.T) {
	for _, row := range []struct {
		name   string
		wait   time.Duration
		proof  string // whose token comes along: "own", "other", "broken" or none
		status int
	}{
		{"just issued", 0, "", 201},
		{"at the end of its time", 15*time.Minute - time.Second, "", 201},
		{"too late", 15 * time.Minute, "", 409},
		{"late with its token", 30 * time.Minute, "own", 201},
		{"late with another's token", 30 * time.Minute, "other", 409},
		{"just issued with a broken token", 0, "broken", 201},
		{"late with a broken token", 30 * time.Minute, "broken", 409},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			anonymous := h.post("/auth/anonymous", nil).want(201)
			id := anonymous.text("userId")
			other := h.post("/auth/anonymous", nil).want(201)
			h.turn(row.wait)
			proofs := map[string][]string{
				"own": bearer(anonymous.text("idToken")), "other": bearer(other.text("idToken")), "broken": bearer("x"),
			}
			body := object{"userId": id, "email": "ana@example.com", "password": password}
			h.post("/auth/sign-up", body, proofs[row.proof]...).want(row.status)
			if row.status == 201 {
				h.signIn("email", "ana@example.com").want(200)
				h.post("/auth/sign-up", body, proofs["own"]...).refused(409, "CONFLICT", "An account for userId `"+id+"` already exists")
			} else {
				h.signIn("userId", id).want(401)
			}
		})
	}
}

func TestAnonymousIdentity(t *testing.T) {
	h := newHouse(t)
	r := h.post("/auth/anonymous", nil).want(201)
	if !viewer.UserID(r.text("userId")).Valid() || r.text("tokenType") != "Bearer" || r.body["expiresIn"] != 3600.0 {
		t.Errorf("answered %s", r.raw)
	}
	for _, token := range []string{"accessToken", "idToken"} {
		if user, err := h.verifier.Authenticate(t.Context(), r.text(token)); string(user) != r.text("userId") || err != nil {
			t.Errorf("%s is of %q, %v", token, user, err)
		}
	}
	h.post("/auth/refresh", object{"refreshToken": r.text("refreshToken")}).want(200)
	if _, _, found, err := h.issuer.Account(t.Context(), viewer.UserID(r.text("userId"))); found || err != nil {
		t.Errorf("there is an account: %v, %v", found, err)
	}
	h.signIn("userId", r.text("userId")).refused(401, "UNAUTHENTICATED", "Incorrect username or password.")
}

func TestOneOfTwoSignUpsGetsTheContact(t *testing.T) {
	h := newHouse(t)
	statuses := make([]int, 4)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() {
			statuses[i] = h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).status
		})
	}
	wg.Wait()
	won := 0
	for _, status := range statuses {
		switch status {
		case 201:
			won++
		case 409:
		default:
			t.Errorf("answered %d", status)
		}
	}
	if won != 1 {
		t.Errorf("%d sign-ups got the e-mail, want 1: %v", won, statuses)
	}
}
