import CoreData
import Foundation

extension Check {
  static let destroyingNothing = Check(
    "D-STO-30", "destroying where nothing is throws no error and leaves a file, where the folder is there",
    expected: "done, file true; done, folder false"
  ) {
    let bench = try Bench()
    let nothing = bench.folder.appendingPathComponent("Nothing.sqlite")
    let folder = bench.folder.appendingPathComponent("Nowhere")
    func destroy(_ url: URL) -> String {
      outcome { try bench.coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil) }
    }
    let (here, there) = (destroy(nothing), destroy(folder.appendingPathComponent("Nothing.sqlite")))
    let isThere = { FileManager.default.fileExists(atPath: $0) } as (String) -> Bool
    return "\(here), file \(isThere(nothing.path)); \(there), folder \(isThere(folder.path))"
  }
}
