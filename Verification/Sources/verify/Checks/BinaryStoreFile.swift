import CoreData

extension Check {
  static let binaryStoreFile = Check(
    "D-STO-31", "adding a binary store makes its file",
    expected: "file true"
  ) {
    let bench = try Bench(type: NSBinaryStoreType)
    return "file \(FileManager.default.fileExists(atPath: bench.url.path))"
  }
}
