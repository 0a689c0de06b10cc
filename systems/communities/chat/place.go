package chat

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// place is a group chat with everything that decides what a viewer may do there.
type place struct {
	*communities.Chat
	community *communities.Community
	viewer    communities.Viewer
	// member is the viewer's membership, target the membership in question.
	member, target *communities.Member
	inside         *communities.CommunityMember
	guard          *communities.Guard
}

func (p *place) seen() *communities.SeenGroup {
	return p.Chat.GroupSeenBy(p.viewer, p.member)
}

// at reads a group chat for a viewer, with the membership in question.
func (s *Service) at(ctx context.Context, v viewer.Viewer, id communities.ChatID, member communities.UserID) (*place, error) {
	ref := communities.GroupRef(id)
	own, target := communities.MemberRef{Chat: ref, UserID: v.UserID}, communities.MemberRef{Chat: ref, UserID: member}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
		Chats: []communities.ChatRef{ref}, Members: []communities.MemberRef{own, target}, Guards: []communities.MemberRef{own},
	})
	if err != nil {
		return nil, err
	}
	p := &place{Chat: facts.Chats[ref], viewer: self, member: facts.Members[own], target: facts.Members[target], guard: facts.Guards[own]}
	if p.Chat == nil {
		return nil, communities.ErrNoChat
	}
	in := communities.CommunityRef{CommunityID: p.CommunityID, UserID: v.UserID}
	facts, err = s.Store.Facts(ctx, communities.Wanted{Communities: []communities.CommunityID{p.CommunityID}, CommunityMembers: []communities.CommunityRef{in}})
	if err != nil {
		return nil, err
	}
	p.community, p.inside = facts.Communities[p.CommunityID], facts.CommunityMembers[in]
	return p, nil
}

// ruled reads a group chat for a viewer who administers it, or returns an error.
func (s *Service) ruled(ctx context.Context, v viewer.Viewer, id communities.ChatID, member communities.UserID) (*place, error) {
	p, err := s.at(ctx, v, id, member)
	if err != nil {
		return nil, err
	}
	return p, p.Ruled(p.viewer, p.community)
}
