package seed

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"stoa/internal/kit/fake"
)

// table returns rows as a CSV file.
func table(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(rows) // a strings.Builder never fails
	return b.String()
}

// censusYear is the year of the census.
const censusYear = 1880

// township returns the generated households of a township.
func (f *filler) township(name string, households int) string {
	rows := [][]string{headers(censusPlan)}
	for n := range households {
		surname := title(fake.Pick(f.random, fake.LastNames))
		add := func(relationship, gender string, age int, occupation, born string) {
			rows = append(rows, []string{
				surname, title(fake.Pick(f.random, fake.FirstNames)), strconv.Itoa(n + 1), relationship, gender, strconv.Itoa(age),
				fmt.Sprint("abt ", censusYear-age), born, occupation, name + " Twp, Marlow Co, Ohio", strconv.Itoa(1 + n/10),
			})
		}
		age := 22 + f.random.IntN(50)
		gender := fake.Pick(f.random, []string{"M", "M", "M", "F"})
		add("Head", gender, age, fake.Pick(f.random, occupations), fake.Pick(f.random, birthplaces))
		if gender == "M" && f.random.IntN(5) > 0 {
			add("Wife", "F", max(18, age-f.random.IntN(8)), "Keeping house", fake.Pick(f.random, birthplaces))
		}
		for range f.random.IntN(7) {
			child := f.random.IntN(max(1, min(age-19, 21)))
			gender, relationship := "M", "Son"
			if f.random.IntN(2) == 0 {
				gender, relationship = "F", "Daughter"
			}
			occupation := ""
			if child > 5 {
				occupation = "At school"
			}
			add(relationship, gender, child, occupation, "Marlow Co, Ohio")
		}
		if f.random.IntN(6) == 0 {
			surname = title(fake.Pick(f.random, fake.LastNames))
			add("Boarder", "M", 16+f.random.IntN(40), "Laborer", fake.Pick(f.random, birthplaces))
		}
	}
	return table(rows)
}

// births returns generated births of the county.
func (f *filler) births(n int) string {
	rows := [][]string{headers(birthsPlan)}
	for i := range n {
		last := title(fake.Pick(f.random, fake.LastNames))
		rows = append(rows, []string{
			title(fake.Pick(f.random, fake.FirstNames)) + " " + last,
			fmt.Sprintf("%d %s %d", 1+f.random.IntN(28), fake.Pick(f.random, []string{"Jan", "Mar", "Apr", "Jun", "Aug", "Sep", "Nov", "Dec"}), 1868+i*12/n),
			fake.Pick(f.random, townships) + ", Marlow, Ohio",
			title(fake.Pick(f.random, fake.FirstNames)) + " " + last,
			title(fake.Pick(f.random, fake.FirstNames)) + " " + title(fake.Pick(f.random, fake.LastNames)),
			strconv.Itoa(1 + i/12),
		})
	}
	return table(rows)
}

// library returns the generated books of the society.
func (f *filler) library() string {
	rows := [][]string{headers(libraryPlan)}
	for i, title := range books {
		rows = append(rows, []string{title, surnameFirst(f), strconv.Itoa(1840 + f.random.IntN(90)), fmt.Sprintf("M %d.%d", 10+i/6, 1+i%6)})
	}
	return table(rows)
}

func surnameFirst(f *filler) string {
	return title(fake.Pick(f.random, fake.LastNames)) + ", " + title(fake.Pick(f.random, fake.FirstNames))
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
