package history_test

// Who dates and matches whom.
var _ = add(area{
	rows: map[string]func(*model, row){
		"user dating": func(*model, row) {}, // follows from the profile
		"user match":  func(*model, row) {},
	},
})
