package store

import "stoa/social"

func (i *postItem) post() *social.Post { return &i.Post }

func postItemOf(p *social.Post) postItem {
	item := postItem{*p}
	item.TextTags = storedTags(p.Text, p.TextTags)
	return item
}

func (i *postItem) id() social.PostID { return i.PostID }
