package archive

import (
	"time"

	"stoa/internal/kit/refusal"
)

// Errors returned to clients, by code and reason. The reasons are part of the contract.
var (
	ErrUnauthenticated = refusal.New(refusal.Unauthenticated, "", "Sign in first")
	ErrNotRegistered   = refusal.New(refusal.Forbidden, "NOT_REGISTERED", "There is no user yet: call signIn first")
	ErrDisabled        = refusal.New(refusal.Forbidden, "USER_DISABLED", "This user has been disabled: ask an administrator")
	ErrNotWorker       = refusal.New(refusal.Forbidden, "NOT_WORKER", "Only workers may report: add the identity to archive-workers")
	ErrEmailRequired   = badInput("EMAIL_REQUIRED", "The identity has no valid e-mail address: add one where you signed up")
	ErrLastAdmin       = refusal.New(refusal.Precondition, "LAST_ADMIN", "There must be an enabled ADMIN: make another one first")

	ErrNoUser       = refusal.New(refusal.NotFound, "", "There is no such user")
	ErrNoCategory   = refusal.New(refusal.NotFound, "", "There is no such category")
	ErrNoCollection = refusal.New(refusal.NotFound, "", "There is no such collection")
	ErrNoPost       = refusal.New(refusal.NotFound, "", "There is no such post")
	ErrNoRecord     = refusal.New(refusal.NotFound, "", "There is no such record")
	ErrNoFile       = refusal.New(refusal.NotFound, "", "There is no such file")

	ErrNameTaken = refusal.New(refusal.Taken, "NAME_TAKEN", "Another category has this name: choose another one")
	ErrInUse     = refusal.New(refusal.Precondition, "IN_USE", "It is in use: remove what belongs to it first")

	ErrDeleting   = refusal.New(refusal.Precondition, "DELETING", "The post is being deleted")
	ErrNoRecords  = refusal.New(refusal.Precondition, "NO_RECORDS", "The post has no records: import some first")
	ErrIDsUsedUp  = refusal.New(refusal.LimitExceeded, "IDS_USED_UP", "All ids up to %d have been given", MaxID)
	ErrNeedsScope = badInput("SCOPE_NEEDED", "Say where to search: give postId, household, collectionId or categoryId")

	ErrEmptyHousehold = badInput("EMPTY_HOUSEHOLD", "A household has at least one record: delete it instead")
	ErrOtherPost      = badInput("OTHER_POST", "A record belongs to one post for good")
	ErrLargeCSV       = refusal.New(
		refusal.LimitExceeded,
		"CSV_TOO_LARGE",
		"A file in a request has at most %d bytes: upload it with requestUpload and give its key as recordsKey",
		MaxCSV,
	)
	ErrLargeHousehold = refusal.New(
		refusal.LimitExceeded,
		"HOUSEHOLD_TOO_LARGE",
		"One call adds fewer than 100 records to a household: add the others afterwards",
	)
	ErrInOtherHousehld = refusal.New(refusal.Taken, "IN_HOUSEHOLD", "A record is in another household: take it out there first")

	// ErrTakenOver stops a loader whose post has been taken over by another one, or is
	// being deleted.
	ErrTakenOver = refusal.New(refusal.Precondition, "TAKEN_OVER", "Somebody else loads the post, or deletes it")
)

func badInput(reason, format string, args ...any) *refusal.Error {
	return refusal.New(refusal.BadInput, reason, format, args...)
}

func limit(reason, format string, args ...any) *refusal.Error {
	return refusal.New(refusal.LimitExceeded, reason, format, args...)
}

// BadInput returns the error for invalid input.
func BadInput(reason, format string, args ...any) error { return badInput(reason, format, args...) }

func params(e *refusal.Error, p map[string]any) error { return e.With("params", p) }

// Outdated returns the error for a change of something that has changed since the client
// read it. given is nil if the client assumed that it did not exist.
func Outdated(stored time.Time, given *time.Time) error {
	p := map[string]any{"stored": FormatTime(stored), "given": nil}
	if given != nil {
		p["given"] = FormatTime(*given)
	}
	return params(refusal.New(refusal.Outdated, "", "It was changed at %s: look at it again", FormatTime(stored)), p)
}

// BadReference returns the error for a reference to something that does not exist.
func BadReference(entity string, id ID) error {
	e := refusal.New(refusal.BadReference, "", "There is no %s %s", entity, id)
	return params(e, map[string]any{"id": id.String(), "entity": entity})
}

// badTransition returns the error for an invalid change of state.
func badTransition[S ~string](from, to S) error {
	e := refusal.New(refusal.Precondition, "BAD_TRANSITION", "It cannot become %s while it is %s", to, from)
	return params(e, map[string]any{"from": string(from), "to": string(to)})
}

// maxExtra is the maximum number of unknown headers that an error names.
const maxExtra = 100

// badHeaders returns the error for headers that are not those of the collection.
func badHeaders(missing, extra []string) error {
	extra = extra[:min(len(extra), maxExtra)]
	list := func(l []string) []string { return append([]string{}, l...) }
	e := badInput("HEADERS", "The headers are not those of the collection: missing %q, unknown %q", missing, extra)
	return params(e, map[string]any{"missing": list(missing), "extra": list(extra)})
}

// BadCSV returns the error for an invalid row of a file. Rows are counted from 1, the
// header.
func BadCSV(row int, format string, args ...any) error {
	e := badInput("CSV", "Row "+ID(row).String()+": "+format, args...)
	return params(e, map[string]any{"row": row})
}

// TooLarge returns the error for a file with a household of too many records.
func TooLarge(row int) error {
	return BadCSV(row, "a household has at most %d records", MaxHousehold)
}
