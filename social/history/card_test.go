package history_test

// Cards are told of, dismissed and counted: what they count is recounted after each
// history. Which of them are due is the scenarios' business, in package card.
var _ = add(area{
	rows: map[string]func(*model, row){
		"card -": func(*model, row) {},
	},
})
