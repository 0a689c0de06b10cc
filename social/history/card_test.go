package history_test

// Cards are announced, dismissed and counted: their counts are recomputed after each
// history. The scenarios of package card check which of them are due.
var _ = add(area{
	rows: map[string]func(*model, row){
		"card -": func(*model, row) {},
	},
})
