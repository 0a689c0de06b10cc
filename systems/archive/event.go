package archive

// PostChanged: the state of a post changed, or the post was loaded.
type PostChanged struct{ PostID, CollectionID ID }

func (PostChanged) EventName() string     { return "archive.postChanged" }
func (e PostChanged) OrderingKey() string { return e.PostID.String() }

// Changed returns the event of a change of the post.
func (p *Post) Changed() PostChanged { return PostChanged{p.ID, p.CollectionID} }

// RecordsRequested: a load of records was requested. By identifies the load among those of
// the post.
type RecordsRequested struct {
	PostID ID
	By     string
}

func (RecordsRequested) EventName() string     { return "archive.recordsRequested" }
func (e RecordsRequested) OrderingKey() string { return e.PostID.String() }

// ImportRequested: a file that came in a request is to be loaded. By identifies the load
// among those of the post, Key the copy of the file, which is deleted afterwards. Nothing is
// set if the records are only to be deleted; there is no file then.
type ImportRequested struct {
	PostID  ID
	By      string
	Key     string
	Nothing bool `json:",omitempty"`
}

func (ImportRequested) EventName() string     { return "archive.importRequested" }
func (e ImportRequested) OrderingKey() string { return e.PostID.String() }

// DeletionRequested: a large post is to be deleted.
type DeletionRequested struct{ PostID ID }

func (DeletionRequested) EventName() string     { return "archive.deletionRequested" }
func (e DeletionRequested) OrderingKey() string { return e.PostID.String() }

// ImagesRequested: a load of images was requested. By identifies the load among those of
// the post.
type ImagesRequested struct {
	PostID ID
	By     string
}

func (ImagesRequested) EventName() string     { return "archive.imagesRequested" }
func (e ImagesRequested) OrderingKey() string { return e.PostID.String() }

// PublishRequested: the publication of a post was requested.
type PublishRequested struct{ PostID ID }

func (PublishRequested) EventName() string     { return "archive.publishRequested" }
func (e PublishRequested) OrderingKey() string { return e.PostID.String() }

// FilesLeft: a post no longer refers to uploads, or has been deleted. In events of earlier
// versions, its id is 0 unless it has been.
type FilesLeft struct {
	Keys   []string
	PostID ID
}

func (FilesLeft) EventName() string     { return "archive.filesLeft" }
func (e FilesLeft) OrderingKey() string { return "files" }

// PostNews is published to subscribers of posts.
type PostNews struct{ PostID, CollectionID ID }

// Subject returns the same subject for all posts, as subscribers may want all of them.
func (PostNews) Subject() string { return PostSubject }

// PostSubject is the subject of news of posts.
const PostSubject = "archive/posts"
