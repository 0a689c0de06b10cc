package seed

// Vocabulary of the generated people. A {slot} in a sentence is replaced from the list of
// that name, {friend} by a mention of somebody the author follows.

var givenNames = []string{
	"Ada", "Aiko", "Amara", "Amir", "Ana", "Anders", "Anouk", "Arjun", "Astrid", "Ayla", "Bashir", "Beatriz",
	"Bilal", "Bruno", "Camille", "Carlos", "Chiara", "Dalia", "Daniel", "Darya", "Diego", "Ebba", "Elena", "Elias",
	"Emeka", "Esther", "Farah", "Felix", "Fiona", "Gabriel", "Greta", "Hana", "Hassan", "Helena", "Hugo", "Ibrahim",
	"Ines", "Ingrid", "Isaac", "Ivy", "Jakub", "Jamila", "Jonas", "Julia", "Kaito", "Karim", "Kavya", "Kenji",
	"Lara", "Leila", "Leon", "Lina", "Lucas", "Maja", "Malik", "Mara", "Mateo", "Mei", "Mila", "Milan",
	"Nadia", "Naomi", "Nikos", "Nina", "Noah", "Noor", "Olga", "Omar", "Oscar", "Paula", "Petra", "Priya",
	"Rafael", "Ravi", "Rosa", "Ruben", "Saba", "Samir", "Sara", "Sofia", "Soren", "Tariq", "Tessa", "Theo",
	"Tomas", "Uma", "Vera", "Viktor", "Wanda", "Yara", "Yusuf", "Zoe",
}

var familyNames = []string{
	"Abara", "Adler", "Ahmed", "Almeida", "Andersen", "Arslan", "Baker", "Bauer", "Becker", "Bello", "Bianchi", "Brandt",
	"Castillo", "Chen", "Costa", "Cruz", "Dahl", "Das", "Demir", "Diallo", "Dubois", "Eriksen", "Farouk", "Fischer",
	"Flores", "Fontaine", "Garcia", "Ghosh", "Gomez", "Haddad", "Hansen", "Horvat", "Ibarra", "Ito", "Ivanova", "Jansen",
	"Kaya", "Keller", "Khan", "Kim", "Kowalski", "Kumar", "Laine", "Lang", "Larsen", "Lopez", "Mancini", "Marin",
	"Mbeki", "Mendes", "Moreau", "Mori", "Nakamura", "Novak", "Nunez", "Okafor", "Olsen", "Osei", "Park", "Patel",
	"Petrov", "Ramos", "Reyes", "Ricci", "Romero", "Rossi", "Sato", "Schmidt", "Silva", "Singh", "Sousa", "Suzuki",
	"Svensson", "Tanaka", "Torres", "Vargas", "Vogel", "Weber", "Yamada", "Yilmaz",
}

var bioParts = []string{
	"baker on weekdays", "climber on weekends", "two cats and a piano", "learning to sail", "mostly photographs of bread",
	"teacher of small people", "night shifts and long walks", "repairs old radios", "collects maps", "plants first, coffee second",
	"rides a bicycle in the rain", "writes letters by hand", "runs slowly and often", "one third of a band", "always a book too many",
	"open source at night", "nurse, swimmer, optimist", "here for the recipes", "trains, mostly", "draws what the window shows",
}

var postSentences = []string{
	"Finally finished {thing}. It took {span}, and it was worth it.",
	"Morning at {place}: nobody there but me and the gulls.",
	"Does anyone know where to get good {food} around here?",
	"Note to self: {food} does not keep for {span}.",
	"{friend} was right about {place}. Going again next week.",
	"Lost {span} to {thing} today and regret nothing.",
	"First {food} of the year!",
	"It rained all day, so I started with {thing} at last.",
	"Found a notebook from school. Past me had plans for {thing}.",
	"Somebody left {food} on the doorstep. Thank you, whoever you are.",
	"Slow evening, {food} and an old film.",
	"Looking for two more people for {thing} on Saturday.",
	"The light at {place} after the storm. No picture does it justice.",
	"Three things I learned from {thing}: patience, patience, and where to buy glue.",
	"My neighbour has been practising the same song for {span}. I know all the words now.",
	"Anyone up for a walk to {place} tomorrow? {friend} is in.",
	"Small victory: {thing} works. Do not ask how.",
	"There is no bad weather at {place}, only thin jackets.",
	"I will trade {food} for help with {thing}.",
	"Unpopular opinion: {food} is better on the second day.",
	"Missed the train and discovered {place} instead.",
	"{span} without news. I recommend it.",
}

var chatSentences = []string{
	"Are you around on Saturday?", "I still have your umbrella.", "Did you see the light at {place} today?", "Bring {food}, I bring the rest.",
	"{span} and I am done with {thing}.", "Sorry, only saw this now.", "Yes!", "Let me check and get back to you.", "Half past seven?",
	"I saved you some {food}.", "Shall we meet at {place}?", "How is {thing} going?", "Perfect, see you there.", "You have to see this.",
}

var groupNames = []string{"Saturday at the lake", "Book circle", "Kitchen table"}

var commentSentences = []string{
	"Count me in!", "This made my day.", "Where is that?", "I tried that once. Once.", "Lovely!",
	"Save me some {food}.", "Only if you bring {food}.", "Same here, for {span} now.", "You have to show me.",
	"{friend} look at this", "I pass {place} every day and never noticed.", "Next time call me.", "Well done!",
	"That is exactly how it went with the {food}, too.", "Only {span}? I am impressed.", "Good luck with that.", "Agreed.",
	"Not sure I believe you.", "How did it end?", "Bring it on Saturday.", "I still have your umbrella, by the way.",
}

var slots = map[string][]string{
	"place": {
		"the old harbour",
		"the hill behind the station",
		"the lake",
		"the market",
		"the botanical garden",
		"the north beach",
		"the library roof",
		"the river bend",
		"the tram depot",
	},
	"food": {"sourdough", "plum cake", "ramen", "pickled lemons", "tomato soup", "cardamom buns", "grilled corn", "dumplings", "apple pie", "mango ice cream"},
	"thing": {
		"the bookshelf",
		"the balcony garden",
		"a radio from 1962",
		"the marathon plan",
		"the thousand-piece puzzle",
		"my taxes",
		"the bicycle",
		"the choir concert",
		"chess with my uncle",
		"the quilt",
	},
	"span": {"three weeks", "two hours", "a whole afternoon", "ten days", "half a year", "a night", "twenty minutes"},
}

var topics = []string{"food", "garden", "music", "walks", "books", "repairs", "city", "weather", "weekend"}

var albumNames = []string{
	"Hills and suns", "Postcards to myself", "The long way home", "Before breakfast", "Last summer", "Weather, mostly",
	"From the train window", "Evenings by the lake", "Things worth keeping", "North of here",
}
