package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// People who share containers. The id has another attribute name than GroupID, which would
// add the item to the indexes.
var groups = keyspec.Define[pantry.Group](Pantry, keyspec.Row{Key: keyspec.K("{GroupRef}", "Group")})

// A container of a group. The name is a copy.
var containerLinks = keyspec.Define[containerLinkItem](Pantry, keyspec.Row{
	Key: keyspec.K("{GroupRef}", "Container#{ContainerID}"),
})

type containerLinkItem struct {
	GroupRef    pantry.GroupID     `dynamo:"GroupRef,keyonly"`
	ContainerID pantry.ContainerID `dynamo:"ContainerID"`
	Name        string             `dynamo:"ContainerName"`
	CreatedAt   time.Time          `dynamo:"CreatedAt"`
}

// containerCounts are counters on the group.
var containerCounts = keyspec.Count(containerLinks, keyspec.Counters[containerLinkItem]{
	{Attribute: "ContainerCount", Owner: func(l *containerLinkItem) keyspec.Key { return groupKey(l.GroupRef) }},
})

func groupKey(id pantry.GroupID) keyspec.Key { return groups.Key(string(id)) }

func containerLinkKey(group pantry.GroupID, container pantry.ContainerID) keyspec.Key {
	return containerLinks.Key(string(group), string(container))
}
