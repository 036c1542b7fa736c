import Foundation

// Foundation's methods of this name return `[NSURL]` on Linux. The methods here take a `String` that is not optional. The
// compiler prefers a method that it can call without wrapping an argument in an Optional; if these took optional strings, a
// call would be ambiguous.
extension Bundle {
  /// Returns the URLs of the resources with a file name extension in a folder of the bundle.
  public func urls(forResourcesWithExtension ext: String, subdirectory: String) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: Optional(subdirectory))
    return found?.map { $0 as URL }
  }

  /// Returns the URLs of the resources with a file name extension in a folder of the bundle, or in the bundle's resource
  /// folder itself if `subdirectory` is nil.
  public func urls(forResourcesWithExtension ext: String, subdirectory: String?) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: subdirectory)
    return found?.map { $0 as URL }
  }
}
