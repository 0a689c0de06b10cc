package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A view of a screen of the app.
var screenViews = keyspec.Define[social.ScreenView](Main, keyspec.Row{
	Key: keyspec.K("screen/{screenId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("screenView/{screenId}", "{firstViewedAt}"),
		A2: keyspec.K("screenView/{userId}", "{firstViewedAt}"),
	},
})
