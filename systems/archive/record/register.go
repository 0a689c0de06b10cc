package record

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// thousands is the price of mutations that write thousands of rows.
const thousands = 10_000

// Register registers what the area receives and what its fields cost.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "import", s.ImportRequested)
	if !s.WorkElsewhere {
		outbox.FanOut(r.Outbox, "records", s.RecordsRequested)
	}

	// Each of a hundred records takes a query of about 70 µs, which is more than the price of
	// an argument that names many objects.
	r.Price("Query.recordsById", 900)
	r.Price("Mutation.importRecords", thousands)
	r.Price("Mutation.deleteRecordsOfPost", thousands)
}
