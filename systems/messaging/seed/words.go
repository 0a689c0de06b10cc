package seed

var hobbies = []string{"birds", "bread", "chess", "climbing", "gardens", "jazz", "kites", "maps", "rowing", "stars"}

var titles = []string{"Early birds", "Sunday walks", "Bread club", "Stairwell", "Allotment", "Choir", "Night sky", "Old bicycles"}

var lines = []string{
	"Good morning.", "Who brings the kettle?", "I can be there at seven.", "Running late, start without me.", "Look at this!", "That was good.",
	"See you on Thursday.", "Does anybody have a ladder?", "Found it.", "Thank you.", "The gate was open again.", "Shall we say half past?",
}
