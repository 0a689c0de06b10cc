package store

import "stoa/social"

func textTagsOf(items []textTagItem) []social.TextTag {
	if len(items) == 0 {
		return nil
	}
	tags := make([]social.TextTag, len(items))
	for i, item := range items {
		tags[i] = social.TextTag{Tag: item.Tag, UserID: item.UserID}
	}
	return tags
}

// textTagItems returns the mentions in a text: an empty list if it has none, nil if there
// is no text.
func textTagItems(text string, tags []social.TextTag) []textTagItem {
	if text == "" {
		return nil
	}
	items := make([]textTagItem, len(tags))
	for i, tag := range tags {
		items[i] = textTagItem{Tag: tag.Tag, UserID: tag.UserID}
	}
	return items
}
