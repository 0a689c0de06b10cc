package socialtest

import (
	"encoding/base64"

	"stoa/internal/appstore/appstoretest"
)

// Receipt makes the App Store know a receipt, or know it otherwise. Apps send it as
// ReceiptData.
func (g Given) Receipt(name string, r appstoretest.Receipt) Given {
	return g.And(func(w *World) { w.AppStore.Set(name, r) })
}

// ReceiptData is a receipt as apps have it.
func ReceiptData(name string) string { return base64.StdEncoding.EncodeToString([]byte(name)) }

// Buy records a receipt that the App Store knows.
func (g Given) Buy(user, receipt string) Given {
	return g.Does(user, `mutation { addAppStoreReceipt(receiptData: %q) }`, ReceiptData(receipt))
}

// Bonus gives a user their month of DIAMOND.
func (g Given) Bonus(user string) Given {
	return g.Does(user, `mutation { grantUserSubscriptionBonus { userId } }`)
}
