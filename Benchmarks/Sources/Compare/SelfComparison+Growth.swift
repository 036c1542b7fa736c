extension SelfComparison {
  /// The time per object among 1,000,000 objects, compared with that among 10,000 objects.
  static let growth = [
    ("growth-merge", "merge a tenth of them, changed elsewhere, rows cached"),
    ("growth-merge-inserts", "merge them, inserted elsewhere"),
    ("growth-registered", "fetch them, all registered, rows cached"), ("growth-insert", "insert them and save once"),
    ("growth-fetch", "fetch them, full rows, not cached"), ("growth-delete", "delete half of them and save once"),
  ].map { name, title in
    SelfComparison(
      title: "1,000,000 photos beside 10,000, time for each: \(title)", workload: "\(name)-none-1M",
      beside: "\(name)-none", process: "\(name)-1M", times: 100, budget: 1.3)
  }
}
