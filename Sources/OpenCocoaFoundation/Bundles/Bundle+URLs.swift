import Foundation

// Foundation on Linux has the result as `[NSURL]`. These take strings that are not optional, since the compiler prefers
// what it can call without making its arguments optional, and finds Foundation's as good otherwise.
extension Bundle {
  /// The resources of an extension, in a folder of the bundle.
  public func urls(forResourcesWithExtension ext: String, subdirectory: String) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: Optional(subdirectory))
    return found?.map { $0 as URL }
  }

  /// The resources of an extension, in a folder of the bundle or, for nil, in the bundle's own.
  public func urls(forResourcesWithExtension ext: String, subdirectory: String?) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: subdirectory)
    return found?.map { $0 as URL }
  }
}
