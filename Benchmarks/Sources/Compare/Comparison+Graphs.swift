extension Comparison {
  /// Owners with members, and the work of contexts with objects that they have already.
  static let graphs =
    owners + [
      Comparison(
        "merge 10,000 photos that another context has saved, all registered, rows cached", "merge-10k",
        process: "merge", budget: 3.0),
      Comparison("the same with 100,000 photos", "merge-100k", process: "merge", budget: 3.0),
      Comparison(
        "save 100,000 of 200,000 photos, changed in random order", "scattered-updates", process: "scattered",
        goal: 2.4, budget: 3.0,
        raised: RaisedGoal(
          before: 2.0, reason: "the profile is flat: references take 15 %, no function of the framework over 4 %")),
      Comparison(
        "delete and save as many in random order", "scattered-deletes", process: "scattered", goal: 2.0, budget: 2.2),
      Comparison("fetch 10,000 photos that are registered, rows cached", "registered", budget: 1.5),
    ]

  /// For C, two statements (owners, then members) take half the time of one statement per owner. So a walk without prefetching
  /// is compared with both ways.
  private static let owners = [
    Comparison(
      "N1 10,000 owners of three members, prefetched, then all names read, rows not cached", "N1-prefetched",
      process: "N1", goal: 2.5, budget: 3.3),
    Comparison(
      "N1 the same without prefetching, beside C's two statements", "N1-plain", beside: "N1-prefetched", process: "N1",
      goal: 3.3, budget: 4.3,
      raised: RaisedGoal(
        before: 2.5, reason: "a set, its faults and their rows are made for each owner where C fills one array")),
    Comparison(
      "N1 the same, beside C's one statement for each owner", "N1-plain", beside: "N1-one-by-one", process: "N1",
      goal: 2.1, budget: 2.5),
  ]
}
