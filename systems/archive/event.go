package archive

// PostChanged says that the state of a post has changed, or that it was loaded.
type PostChanged struct{ PostID, CollectionID ID }

func (PostChanged) EventName() string     { return "archive.postChanged" }
func (e PostChanged) OrderingKey() string { return e.PostID.String() }

// Changed is the event of a change of the post.
func (p *Post) Changed() PostChanged { return PostChanged{p.ID, p.CollectionID} }

// RecordsRequested tells the loader of records. By names this load among all of the post.
type RecordsRequested struct {
	PostID ID
	By     string
}

func (RecordsRequested) EventName() string     { return "archive.recordsRequested" }
func (e RecordsRequested) OrderingKey() string { return e.PostID.String() }

// ImagesRequested tells the loader of images. By names this load among all of the post.
type ImagesRequested struct {
	PostID ID
	By     string
}

func (ImagesRequested) EventName() string     { return "archive.imagesRequested" }
func (e ImagesRequested) OrderingKey() string { return e.PostID.String() }

// PublishRequested tells the publisher.
type PublishRequested struct{ PostID ID }

func (PublishRequested) EventName() string     { return "archive.publishRequested" }
func (e PublishRequested) OrderingKey() string { return e.PostID.String() }

// FilesLeft says that nobody refers to uploads any more, nor to images of a post unless
// that is 0.
type FilesLeft struct {
	Keys   []string
	PostID ID
}

func (FilesLeft) EventName() string     { return "archive.filesLeft" }
func (e FilesLeft) OrderingKey() string { return "files" }

// PostNews is what those hear who listen to posts.
type PostNews struct{ PostID, CollectionID ID }

// Subject is the same for all posts, since listeners may want all of them.
func (PostNews) Subject() string { return PostSubject }

// PostSubject is what news of posts go by.
const PostSubject = "archive/posts"
