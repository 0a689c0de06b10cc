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

	r.Price("Mutation.importRecords", thousands)
	r.Price("Mutation.deleteRecordsOfPost", thousands)
}
