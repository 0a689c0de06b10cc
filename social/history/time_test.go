package history_test

import (
	"time"

	"stoa/internal/apptest"
)

// Time passes, and jobs run.
var _ = add(area{
	content: true,
	acts: []kind{
		{2, func(d *draw) act {
			return act{Do: "wait", Args: []arg{with("hours", d.One([]string{"2", "4", "25", "100", "800"}))}}
		}},
	},
	does: map[string]func(*apptest.World, *model, act){
		"wait": func(w *apptest.World, m *model, a act) {
			hours, err := time.ParseDuration(a.Text("hours") + "h")
			if err != nil {
				panic(err)
			}
			w.Advance(hours)
			for _, area := range areas {
				if area.passed == nil {
					continue
				}
				for _, job := range area.jobs {
					w.RunJob(job)
				}
				w.Settle()
				area.passed(m, w.Now())
			}
		},
	},
})
