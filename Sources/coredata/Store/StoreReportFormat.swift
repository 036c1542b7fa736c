import ArgumentParser

/// The format in which a command writes its results.
enum StoreReportFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
