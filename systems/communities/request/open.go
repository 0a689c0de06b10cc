package request

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// opened is a request with everything that decides what a viewer may do with it.
type opened struct {
	*communities.Request
	viewer communities.Viewer
	chat   *communities.Chat
	// member is the viewer's membership of the chat, requester that of the requester.
	member, requester *communities.Member
	last              communities.Notices
	decides           bool
}

// seen returns r, which is the request or what it has become, as the viewer sees it.
func (o *opened) seen(r *communities.Request) *communities.SeenRequest {
	return r.SeenBy(o.viewer.ID, o.decides, o.chat != nil && o.member != nil)
}

// open reads a request that the viewer may see. To others, it does not exist.
func (s *Service) open(ctx context.Context, v viewer.Viewer, id string) (*opened, error) {
	ref, ok := communities.ParseRequestRef(id)
	chat := communities.GroupRef(ref.ChatID)
	w := communities.Wanted{}
	own, theirs := communities.MemberRef{Chat: chat, UserID: v.UserID}, communities.MemberRef{Chat: chat, UserID: ref.UserID}
	if ok {
		w = communities.Wanted{
			Requests: []communities.RequestRef{ref}, Chats: []communities.ChatRef{chat}, Members: []communities.MemberRef{own, theirs},
			Notices: []communities.UserID{ref.UserID}, Users: []communities.UserID{ref.UserID},
		}
	}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	o := &opened{
		Request: facts.Requests[ref], viewer: self, chat: facts.Chats[chat], member: facts.Members[own], requester: facts.Members[theirs],
		last: facts.Notices[ref.UserID],
	}
	if o.Request == nil || !facts.Users[ref.UserID].Lives() { // that of a former user is about to be deleted
		return nil, communities.ErrNoRequest
	}
	if o.decides, err = s.decides(ctx, self, o.chat, o.CommunityID); err != nil {
		return nil, err
	}
	if o.seen(o.Request) == nil {
		return nil, communities.ErrNoRequest
	}
	return o, nil
}

// decides reports whether a viewer decides on requests for a chat, which may be gone.
func (s *Service) decides(ctx context.Context, v communities.Viewer, c *communities.Chat, in communities.CommunityID) (bool, error) {
	if v.IsAdmin() || c != nil && c.OwnerID == v.ID {
		return true, nil
	}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Communities: []communities.CommunityID{in}})
	if err != nil {
		return false, err
	}
	community := facts.Communities[in]
	return community != nil && community.FounderID == v.ID, nil
}
