import ArgumentParser

/// How a command writes what it found.
enum StoreReportFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
