package social

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDistance(t *testing.T) {
	newYork, london := Location{Latitude: 40.7128, Longitude: -74.006}, Location{Latitude: 51.5074, Longitude: -0.1278}
	for _, c := range []struct {
		earth Earth
		a, b  Location
		want  float64
	}{
		{EarthInMiles, newYork, newYork, 0},
		{EarthInMiles, newYork, london, 3461},
		{EarthInKilometers, london, newYork, 5570},
		{EarthInMiles, Location{Latitude: 90}, Location{Latitude: -90}, 12437},
		{EarthInMiles, Location{Longitude: 180}, Location{Longitude: -180}, 0},
		{EarthInMiles, Location{Longitude: 179.5}, Location{Longitude: -179.5}, 69},
	} {
		if got := c.earth.Distance(c.a, c.b); math.Abs(got-c.want) > 1 {
			t.Errorf("from %v to %v it is %f, want %f", c.a, c.b, got, c.want)
		}
	}
}

// Every location within the radius is in one of the strips, anywhere on earth.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	place := func() Location {
		l := Location{Latitude: r.Float64()*180 - 90, Longitude: r.Float64()*360 - 180}
		switch r.IntN(6) {
		case 0:
			l.Longitude = []float64{-180, 180, 179.9999, -179.9999, 0}[r.IntN(5)]
		case 1:
			l.Latitude = []float64{-90, 90, 89.5, -89.2, 0, 60}[r.IntN(6)]
		}
		return l
	}
	for range 20000 {
		from, reach := place(), []float64{5, 50, 100, 700, 5000, 20000}[r.IntN(6)]
		// A location at about that distance, in any direction.
		to := place()
		if angle := degrees(reach / float64(EarthInMiles)); angle < 80 {
			bearing, far := r.Float64()*2*math.Pi, radians(angle*r.Float64()*1.01)
			lat := radians(from.Latitude)
			there := math.Asin(math.Sin(lat)*math.Cos(far) + math.Cos(lat)*math.Sin(far)*math.Cos(bearing))
			east := math.Atan2(math.Sin(bearing)*math.Sin(far)*math.Cos(lat), math.Cos(far)-math.Sin(lat)*math.Sin(there))
			to = Location{Latitude: degrees(there), Longitude: math.Remainder(from.Longitude+degrees(east), 360)}
		}
		if EarthInMiles.Distance(from, to) > reach {
			continue
		}
		band, column := to.Cell()
		found := 0
		for _, s := range EarthInMiles.Around(from, reach) {
			if s.Band == band && s.From <= column && column < s.Next {
				found++
			}
		}
		if found != 1 {
			t.Fatalf("%v is %f from %v and in %d strips around it of %f: %v, not once: cell %s/%s", to, EarthInMiles.Distance(from, to), from, found, reach,
				EarthInMiles.Around(from, reach), band, column)
		}
	}
}

// In inhabited latitudes there are few strips, hardly larger than the circle around the
// location.
func TestStripsAreNarrow(t *testing.T) {
	for latitude := -70.0; latitude <= 70; latitude += 0.7 {
		for longitude := -180.0; longitude <= 180; longitude += 7 {
			strips := EarthInMiles.Around(Location{Latitude: latitude, Longitude: longitude}, MaxBasicMatchRadius)
			if len(strips) > 8 {
				t.Fatalf("%d strips around %f, %f", len(strips), latitude, longitude)
			}
			cells := 0
			for _, s := range strips {
				cells += number(t, s.Next) - number(t, s.From)
			}
			if cells > 24 {
				t.Fatalf("%d cells around %f, %f: %v", cells, latitude, longitude, strips)
			}
		}
	}
}

func number(t *testing.T, text string) (n int) {
	t.Helper()
	for _, digit := range text {
		n = n*10 + int(digit-'0')
	}
	return n
}
