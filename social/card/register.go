package card

import (
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
	"stoa/social"
)

// PushJob is the job that pushes due cards to users' devices.
const PushJob = "social.push-cards"

// Register registers what the area receives and its job.
func (s *Service) Register(r *area.Registry) {
	// First: other effects of the removal would update the counts of these cards.
	outbox.FanOutFirst(r.Outbox, "cards", s.UserRemoved)
	outbox.On(r.Outbox, s.UserPhotoSet)
	outbox.On(r.Outbox, s.UserCreated)
	outbox.On(r.Outbox, s.UserStatusChanged)
	outbox.On(r.Outbox, s.FollowStatusChanged, social.FollowStatusChanged.ChangesRequests)
	outbox.On(r.Outbox, s.PostLiked, social.PostLiked.MakesCards)
	outbox.On(r.Outbox, s.PostDisliked)
	outbox.On(r.Outbox, s.PostAdded)
	outbox.On(r.Outbox, s.PostReposted)
	outbox.On(r.Outbox, s.PostEdited)
	outbox.On(r.Outbox, s.CommentAdded, social.CommentAdded.MakesCards)
	outbox.On(r.Outbox, s.CardDismissed)
	outbox.FanOut(r.Outbox, "cards", s.ContactsFound)
	outbox.On(r.Outbox, s.CardNotified)
	outbox.FanOut(r.Outbox, "cards", s.CommentDeleted)
	outbox.FanOut(r.Outbox, "cards", s.PostStatusChanged)
	outbox.On(r.Outbox, s.UnviewedChatsChanged)
	outbox.On(r.Outbox, s.SubscriptionLevelChanged)
	outbox.FanOut(r.Outbox, "cards", s.PostViewed, social.PostViewed.Matters)
	outbox.On(r.Outbox, s.Judged)

	r.Job(job.Job{Name: PushJob, Every: time.Minute, Run: s.PushDue})
}
