package store

import "stoa"

func textTagsOf(items []textTagItem) []stoa.TextTag {
	if len(items) == 0 {
		return nil
	}
	tags := make([]stoa.TextTag, len(items))
	for i, item := range items {
		tags[i] = stoa.TextTag{Tag: item.Tag, UserID: item.UserID}
	}
	return tags
}

func textTagItems(tags []stoa.TextTag) []textTagItem {
	if len(tags) == 0 {
		return nil
	}
	items := make([]textTagItem, len(tags))
	for i, tag := range tags {
		items[i] = textTagItem{Tag: tag.Tag, UserID: tag.UserID}
	}
	return items
}
