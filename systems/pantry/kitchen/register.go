package kitchen

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// containerPrice is the price of fields that show a container, for which everything in it is
// read.
const containerPrice = 200

// Register registers what the area receives and what its fields cost.
func (s *Service) Register(r *area.Registry) {
	outbox.On(r.Outbox, s.GroupChanged)
	outbox.On(r.Outbox, s.MemberLeft)

	for _, field := range []string{
		"Query.container", "Query.food", "Query.myContainers", "Query.groupContainers", "Query.searchFoods", "Query.expiringFoods", "Group.containers",
	} {
		r.Price(field, containerPrice)
	}
}
