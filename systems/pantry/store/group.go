package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// People who share containers. The id has another attribute name than GroupID, which would
// add the item to the indexes.
var groups = keyspec.Define[groupItem](Pantry, keyspec.Row{Key: keyspec.K("{GroupRef}", "Group")})

type groupItem struct {
	GroupRef       pantry.GroupID     `dynamo:"GroupRef"`
	Name           string             `dynamo:"GroupName"`
	BelongingUsers keyspec.Set        `dynamo:"BelongingUsers"`
	ContainerCount int                `dynamo:"ContainerCount,zero"`
	CurrentLink    string             `dynamo:"CurrentJoinLink"`
	CreatedAt      keyspec.MilliStamp `dynamo:"CreatedAt"`
	UpdatedAt      keyspec.MilliStamp `dynamo:"UpdatedAt"`
	Version        int                `dynamo:"Version"`
}

// A container of a group. The name is a copy.
var containerLinks = keyspec.Define[containerLinkItem](Pantry, keyspec.Row{
	Key: keyspec.K("{GroupRef}", "Container#{ContainerID}"),
})

type containerLinkItem struct {
	GroupRef    pantry.GroupID     `dynamo:"GroupRef,keyonly"`
	ContainerID pantry.ContainerID `dynamo:"ContainerID"`
	Name        string             `dynamo:"ContainerName"`
	CreatedAt   keyspec.MilliStamp `dynamo:"CreatedAt"`
}

// containerCounts are counters on the group.
var containerCounts = keyspec.Count(containerLinks, keyspec.Counters[containerLinkItem]{
	{Attribute: "ContainerCount", Owner: func(l *containerLinkItem) keyspec.Key { return groupKey(l.GroupRef) }},
})

func groupKey(id pantry.GroupID) keyspec.Key { return groups.Key(string(id)) }

func containerLinkKey(group pantry.GroupID, container pantry.ContainerID) keyspec.Key {
	return containerLinks.Key(string(group), string(container))
}

func groupItemOf(g *pantry.Group) groupItem {
	return groupItem{
		GroupRef: g.ID, Name: g.Name, BelongingUsers: setOf(g.UserIDs), ContainerCount: g.ContainerCount,
		CurrentLink: g.CurrentLink, Version: g.Version,
		CreatedAt: keyspec.MilliStampOf(g.CreatedAt), UpdatedAt: keyspec.MilliStampOf(g.UpdatedAt),
	}
}

func (i *groupItem) group() *pantry.Group {
	g := &pantry.Group{
		ID: i.GroupRef, Name: i.Name, UserIDs: make([]pantry.UserID, len(i.BelongingUsers)), ContainerCount: i.ContainerCount,
		CurrentLink: i.CurrentLink, Version: i.Version, CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
	}
	for n, id := range i.BelongingUsers {
		g.UserIDs[n] = pantry.UserID(id)
	}
	return g
}

func setOf(ids []pantry.UserID) keyspec.Set {
	set := make(keyspec.Set, len(ids))
	for i, id := range ids {
		set[i] = string(id)
	}
	return set
}
