package history_test

// Chats are counted: what they count is recounted after each history. Who is told and
// shown what is the scenarios' business, in package chat.
var _ = add(area{
	rows: map[string]func(*model, row){
		"chat -": func(*model, row) {}, "chat member": func(*model, row) {}, "chat view": func(*model, row) {}, "chat flag": func(*model, row) {},
		"chatMessage -": func(*model, row) {}, "chatMessage flag": func(*model, row) {},
	},
})
