package post

import (
	"slices"

	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// eventsOf returns the events of a change of a post; before is nil for a new one.
func eventsOf(before, p *archive.Post) (events []outbox.Event) {
	if before == nil {
		ready := archive.Load{Status: archive.Ready}
		before = &archive.Post{Status: p.Status, Records: ready, Images: ready}
	} else if p.Status != before.Status || p.Records.Status != before.Records.Status || p.Images.Status != before.Images.Status {
		events = append(events, p.Changed())
	}
	if p.Status != before.Status && (p.Status == archive.ToPublish || p.Status == archive.ToUnpublish) {
		events = append(events, archive.PublishRequested{PostID: p.ID})
	}
	by := archive.FormatTime(p.LastUpdateTime)
	if p.Records.Status == archive.ToLoad && (before.Records.Status != archive.ToLoad || p.RecordsKey != before.RecordsKey) {
		events = append(events, archive.RecordsRequested{PostID: p.ID, By: by})
	}
	if p.Images.Status == archive.ToLoad && (before.Images.Status != archive.ToLoad || !slices.Equal(p.ImageKeys, before.ImageKeys)) {
		events = append(events, archive.ImagesRequested{PostID: p.ID, By: by})
	}
	if p.Deleting && !before.Deleting && p.RecordCount > archive.MaxAtOnce {
		events = append(events, archive.DeletionRequested{PostID: p.ID})
	}
	if left := slices.DeleteFunc(before.Keys(), func(key string) bool { return slices.Contains(p.Keys(), key) }); len(left) > 0 {
		events = append(events, archive.FilesLeft{Keys: left, PostID: p.ID})
	}
	return events
}
