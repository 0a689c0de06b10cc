package store

import "stoa/internal/kit/keyspec"

// Indexes of the main table. Those named A project all attributes, those named K only keys.
var (
	A1 = &keyspec.Index{Name: "GSI-A1", PK: "gsiA1PartitionKey", SK: "gsiA1SortKey"}
	A2 = &keyspec.Index{Name: "GSI-A2", PK: "gsiA2PartitionKey", SK: "gsiA2SortKey"}
	A3 = &keyspec.Index{Name: "GSI-A3", PK: "gsiA3PartitionKey", SK: "gsiA3SortKey"}
	A4 = &keyspec.Index{Name: "GSI-A4", PK: "gsiA4PartitionKey", SK: "gsiA4SortKey", Number: true}
	K1 = &keyspec.Index{Name: "GSI-K1", PK: "gsiK1PartitionKey", SK: "gsiK1SortKey", KeysOnly: true}
	K2 = &keyspec.Index{Name: "GSI-K2", PK: "gsiK2PartitionKey", SK: "gsiK2SortKey", KeysOnly: true}
	K3 = &keyspec.Index{Name: "GSI-K3", PK: "gsiK3PartitionKey", SK: "gsiK3SortKey", Number: true, KeysOnly: true}
)

// Main holds the data that users see.
var Main = &keyspec.Table{
	Name: "main", PK: "partitionKey", SK: "sortKey",
	Indexes: []*keyspec.Index{A1, A2, A3, A4, K1, K2, K3},
}

// Indexes of the feed table: a user's feed by time, and by author.
var (
	FeedA1 = &keyspec.Index{Name: "GSI-A1", PK: "feedUserId", SK: "postedAt"}
	FeedA2 = &keyspec.Index{Name: "GSI-A2", PK: "feedUserId", SK: "postedByUserId"}
)

// Feed holds the entries of users' feeds.
var Feed = &keyspec.Table{
	Name: "feed", PK: "postId", SK: "feedUserId", Unversioned: true,
	Indexes: []*keyspec.Index{FeedA1, FeedA2},
}
