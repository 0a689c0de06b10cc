package social

import (
	"fmt"
	"math"
)

// Earth is the earth's radius in the unit of distances.
type Earth float64

const (
	EarthInMiles      Earth = 3958.7613
	EarthInKilometers Earth = 6371.0088
)

// Distance returns the great-circle distance between two places.
func (e Earth) Distance(a, b Location) float64 {
	lat1, lat2 := radians(a.Latitude), radians(b.Latitude)
	north, east := math.Sin((lat2-lat1)/2), math.Sin(radians(b.Longitude-a.Longitude)/2)
	h := north*north + math.Cos(lat1)*math.Cos(lat2)*east*east
	return 2 * float64(e) * math.Asin(math.Sqrt(min(h, 1)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// bands is the number of bands of one degree of latitude between the poles. Each is divided
// into columns that are at least as wide on the ground.
const bands = 180

// columns returns the number of columns in a band.
func columns(band int) int {
	widest := min(math.Abs(float64(band-90)), math.Abs(float64(band-89)))
	return max(1, int(360*math.Cos(radians(widest))))
}

func band(latitude float64) int { return max(0, min(int(math.Floor(latitude+90)), bands-1)) }

// Cell returns the band and the column of a place, in fixed width.
func (l Location) Cell() (inBand, column string) {
	b := band(l.Latitude)
	n := columns(b)
	c := int(math.Floor((l.Longitude+180)/360*float64(n))) % n
	return bandText(b), columnText(c)
}

func bandText(band int) string     { return fmt.Sprintf("%03d", band) }
func columnText(column int) string { return fmt.Sprintf("%04d", column) }

// Strip is a range of columns in a band, from From up to but not including Next.
type Strip struct{ Band, From, Next string }

// Around returns strips that cover all places within reach of l.
func (e Earth) Around(l Location, reach float64) []Strip {
	const rounding = 1e-6 // degrees
	angle := min(degrees(reach/float64(e))+rounding, 180)
	half := 180.0 // half the circle's width in longitude
	if pole := 90 - math.Abs(l.Latitude); angle < pole {
		half = degrees(math.Asin(min(1, math.Sin(radians(angle))/math.Cos(radians(l.Latitude))))) + rounding
	}
	var strips []Strip
	for b := band(l.Latitude - angle); b <= band(l.Latitude+angle); b++ {
		n := columns(b)
		column := func(longitude float64) int { return int(math.Floor((longitude + 180) / 360 * float64(n))) }
		from, to := column(l.Longitude-half), column(l.Longitude+half)
		add := func(from, to int) {
			strips = append(strips, Strip{bandText(b), columnText(from), columnText(to + 1)})
		}
		switch {
		case to-from+1 >= n:
			add(0, n-1)
		case from < 0: // across the antimeridian
			add(0, to)
			add(from+n, n-1)
		case to >= n:
			add(0, to-n)
			add(from, n-1)
		default:
			add(from, to)
		}
	}
	return strips
}
