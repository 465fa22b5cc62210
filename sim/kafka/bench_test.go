package kafka_test

import (
	"fmt"
	"runtime"
	"testing"

	"streaminglab/sim/kafka"
)

// Batches of 100 records with nobody watching, on a topic that keeps 10 minutes
// in segments of 10,000 records: one batch a virtual second, and the retention job
// on its grid of 5 minutes. It reports records a second.
func BenchmarkProduce(b *testing.B) {
	const batch = 100
	now := int64(0)
	k := kafka.NewBroker(kafka.DefaultConfig(), func() int64 { return now })
	k.CreateTopic("t", 1)
	k.Retain("t", kafka.Retention{Time: 600_000, Segment: 10_000})
	records := make([]kafka.Record, batch)
	for i := range records {
		records[i] = kafka.Record{Key: fmt.Sprintf("k%d", i), Value: "v"}
	}
	p := k.NewProducer("", 0)
	at := kafka.TopicPartition{Topic: "t"}
	for b.Loop() {
		for range 10_000 {
			if err := p.Send(at, records); err != nil {
				b.Fatal(err)
			}
			if now += 1000; now%kafka.RetentionInterval == 0 {
				k.DeleteOldSegments()
			}
		}
	}
	if n := k.Partition(at); n.Start == 0 {
		b.Fatal("retention deletes nothing")
	}
	b.ReportMetric(float64(b.N)*10_000*batch/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// Transactions from begin to the last marker, one record each, by a hundred
// producers in turn.
func BenchmarkTransactions(b *testing.B) {
	const transactions = 100_000
	for b.Loop() {
		now := int64(0)
		k := kafka.NewBroker(kafka.DefaultConfig(), func() int64 { return now })
		k.CreateTopic("t", 4)
		var producers []*kafka.ProducerClient
		for i := range 100 {
			p := k.NewProducer(fmt.Sprintf("id-%d", i), 60_000)
			if err := p.InitTransactions(); err != nil {
				b.Fatal(err)
			}
			producers = append(producers, p)
		}
		for i := range transactions {
			p := producers[i%len(producers)]
			now++
			if err := p.BeginTransaction(); err != nil {
				b.Fatal(err)
			}
			if err := p.Send(kafka.TopicPartition{Topic: "t", Partition: i % 4}, []kafka.Record{{Key: "k", Value: "v"}}); err != nil {
				b.Fatal(err)
			}
			if err := p.CommitTransaction(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*transactions/b.Elapsed().Seconds()/1e3, "ktransactions/s")
}

// What an open transaction with one record costs in memory, with its id, its
// producer and its place in the partition.
func BenchmarkOpenTransactions(b *testing.B) {
	const open = 20_000
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		k := kafka.NewBroker(kafka.DefaultConfig(), func() int64 { return 0 })
		k.CreateTopic("t", 1)
		producers := make([]*kafka.ProducerClient, open)
		for i := range producers {
			p := k.NewProducer(fmt.Sprintf("id-%d", i), 60_000)
			if p.InitTransactions() != nil || p.BeginTransaction() != nil || p.Send(kafka.TopicPartition{Topic: "t"}, []kafka.Record{{Value: "v"}}) != nil {
				b.Fatal("no transaction")
			}
			producers[i] = p
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/open, "B/transaction")
		runtime.KeepAlive(producers)
		runtime.KeepAlive(k)
	}
}
