package seed

import "stoa/systems/communities"

var places = []communities.Location{
	{City: "Trenton", State: "New Jersey", Country: "USA"}, {City: "Newark", State: "New Jersey", Country: "USA"},
	{City: "Albany", State: "New York", Country: "USA"}, {City: "Leeds", State: "Yorkshire", Country: "United Kingdom"},
	{City: "Graz", State: "Steiermark", Country: "Austria"}, {City: "Lyon", State: "Rhône", Country: "France"},
}

var titles = map[communities.Topic]string{
	communities.Anxiety: "calm", communities.Depression: "light", communities.Addiction: "one day at a time", communities.PTSD: "safe harbour",
	communities.OCD: "good enough",
}

var bios = []string{"Here to listen.", "Two cats, too many books.", "Walks help.", "New in town.", "Tea over coffee.", "One step, then the next."}

var lines = []string{
	"Good morning, everybody.", "How was your week?", "I slept through for the first time in a while.", "That sounds hard.", "Thank you for saying that.",
	"Does anybody want to go for a walk on Sunday?", "I tried the breathing exercise. It helped a little.", "Me too.", "See you on Tuesday.",
	"Be kind to yourself today.",
}

var notes = []string{"A friend told me of you.", "I have been looking for a small group.", "May I come and listen first?", "I was there in spring."}
