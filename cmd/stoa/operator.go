package main

import (
	"fmt"
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/config"
	"stoa/internal/operator"
)

// shown returns the settings in force as operators see them, with secrets masked.
func shown(set *config.Set) []*operator.Setting {
	all := []*operator.Setting{}
	for _, f := range set.Fields() {
		all = append(all, &operator.Setting{Name: f.Name, Value: f.Text(), Source: fmt.Sprint(f.Source()), Meaning: f.Help})
	}
	return all
}

// watchDisk adds metrics of the disk that a directory is on.
func watchDisk(registry prometheus.Registerer, dir string) {
	gauge := func(name, help string, value func(*operator.Disk) int64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			d, err := diskOf(dir)
			if err != nil {
				return math.NaN()
			}
			return float64(value(d))
		}))
	}
	gauge("stoa_disk_free_bytes", "Space that is left on the disk of the embedded data.", func(d *operator.Disk) int64 { return d.Free })
	gauge("stoa_disk_size_bytes", "Size of the disk of the embedded data.", func(d *operator.Disk) int64 { return d.Total })
}

// diskOf returns the space of the disk that a directory is on.
func diskOf(dir string) (*operator.Disk, error) {
	free, total, err := diskSpace(dir)
	if err != nil {
		return nil, fmt.Errorf("the disk of %s: %w", dir, err)
	}
	return &operator.Disk{Free: free, Total: total}, nil
}
