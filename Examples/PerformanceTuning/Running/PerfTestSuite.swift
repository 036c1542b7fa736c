/// The ten tests, in the order in which they are run.
public enum PerfTestSuite {
  /// All tests at their full number of repetitions.
  public static var all: [any PerfTest] {
    [
      FetchAllTest(), DidFaultTest(), SingleFaultTest(), BatchFaultTest(), PrefetchTest(), CacheTest(),
      UniquingTest(), PredicateTest(), SubqueryTest(), BatchUpdateTest(),
    ]
  }

  /// Returns the test with a name, in upper or lower case.
  public static func named(_ name: String) -> (any PerfTest)? {
    all.first { $0.name.lowercased() == name.lowercased() }
  }
}
