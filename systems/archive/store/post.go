package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A post. Listed by collection.
var posts = keyspec.Define[postItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "post"), On: keyspec.Indexes{BySort: keyspec.K("post", "{paddedCollectionID}")},
})

type postItem struct {
	ID            string            `dynamo:"ID,keyonly"`
	CollectionID  string            `dynamo:"paddedCollectionID,keyonly"`
	AuthorID      archive.ID        `dynamo:"author_id"`
	Name          string            `dynamo:"name"`
	Metadata      map[string]string `dynamo:"metadata"`
	Status        string            `dynamo:"post_status"`
	Requested     string            `dynamo:"requested_status"`
	Error         string            `dynamo:"post_error"`
	RecordsKey    string            `dynamo:"records_key"`
	RecordsStatus string            `dynamo:"records_status"`
	RecordsError  string            `dynamo:"records_error"`
	RecordsBy     string            `dynamo:"records_loader"`
	ImageKeys     keyspec.Set       `dynamo:"images_keys"`
	LoadedImages  keyspec.Set       `dynamo:"images_loaded"`
	ImagesStatus  string            `dynamo:"images_status"`
	ImagesError   string            `dynamo:"images_error"`
	ImagesBy      string            `dynamo:"images_loader"`
	RecordCount   int               `dynamo:"record_count,zero"`
	Deleting      bool              `dynamo:"deleting"`
	archive.Stamps
}

// postCounts are counters on the collection.
var postCounts = keyspec.Count(posts, keyspec.Counters[postItem]{
	{Attribute: "PostCount", Owner: func(p *postItem) keyspec.Key { return collectionKey(unpadded(p.CollectionID)) }},
})

// names maps states to their stored texts.
type names[S ~string] map[S]string

func (n names[S]) stored(s S) string { return n[s] }

func (n names[S]) noun(stored string) S {
	for s, text := range n {
		if text == stored {
			return s
		}
	}
	return ""
}

var storedStatuses = names[archive.PostStatus]{
	archive.Draft: "Draft", archive.ToPublish: "Publication Requested", archive.Publishing: "Publishing", archive.Published: "Published",
	archive.ToUnpublish: "Unpublication Requested", archive.Unpublishing: "Unpublishing", archive.PostError: "Error", "": "",
}

var storedLoads = names[archive.LoadStatus]{
	archive.Ready: "", archive.ToLoad: "Load Requested", archive.Loading: "Loading", archive.LoadError: "Error",
}

func postKey(id archive.ID) keyspec.Key { return posts.Key(id.String()) }

// unpadded parses the result of ID.Padded.
func unpadded(text string) archive.ID {
	for len(text) > 1 && text[0] == '0' {
		text = text[1:]
	}
	return idOf(text)
}

func postItemOf(p *archive.Post) postItem {
	return postItem{
		ID: p.ID.String(), CollectionID: p.CollectionID.Padded(), AuthorID: p.AuthorID, Name: p.Name, Metadata: metadataOf(p.Metadata),
		Status: storedStatuses.stored(p.Status), Requested: storedStatuses.stored(p.Requested), Error: p.Error,
		RecordsKey: p.RecordsKey, RecordsStatus: storedLoads.stored(p.Records.Status), RecordsError: p.Records.Error, RecordsBy: p.Records.By,
		ImageKeys: keyspec.Set(p.ImageKeys), LoadedImages: keyspec.Set(p.LoadedImages),
		ImagesStatus: storedLoads.stored(p.Images.Status), ImagesError: p.Images.Error, ImagesBy: p.Images.By,
		RecordCount: p.RecordCount, Deleting: p.Deleting, Stamps: p.Stamps,
	}
}

// metadataOf never returns nil, so that the stored map exists.
func metadataOf(m archive.Metadata) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func (i *postItem) post() *archive.Post {
	return &archive.Post{
		ID: idOf(i.ID), CollectionID: unpadded(i.CollectionID), AuthorID: i.AuthorID, Name: i.Name, Metadata: i.Metadata,
		Status: storedStatuses.noun(i.Status), Requested: storedStatuses.noun(i.Requested), Error: i.Error, RecordsKey: i.RecordsKey,
		Records:   archive.Load{Status: storedLoads.noun(i.RecordsStatus), Error: i.RecordsError, By: i.RecordsBy},
		Images:    archive.Load{Status: storedLoads.noun(i.ImagesStatus), Error: i.ImagesError, By: i.ImagesBy},
		ImageKeys: i.ImageKeys, LoadedImages: i.LoadedImages, RecordCount: i.RecordCount, Deleting: i.Deleting, Stamps: i.Stamps,
	}
}
