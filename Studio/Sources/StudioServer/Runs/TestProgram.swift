import Foundation

/// A test program: its purpose and its options.
struct TestProgram: Sendable {
  /// The name of the program in addresses and in kept runs.
  let id: String
  let title: String
  let summary: String
  /// The name of the program's executable.
  let executable: String
  let options: [TestOption]
  /// Whether a separate process loads the data first. Otherwise all data would be in memory when the test is measured.
  let loadsBefore: Bool
  /// Reads the measures from the program's JSON output.
  let series: @Sendable (Data) throws -> [RunRecord.Series]

  /// Returns the executable in a folder; nil if it was not built.
  func executable(in folder: URL?) -> URL? {
    guard let url = folder?.appendingPathComponent(executable) else { return nil }
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }
}
