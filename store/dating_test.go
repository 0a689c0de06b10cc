package store

var _ = leftOpen("user/{userId} | dating", "user/{userId} | match/{matchUserId}")
