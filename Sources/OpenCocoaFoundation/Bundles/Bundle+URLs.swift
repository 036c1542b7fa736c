import Foundation

// On Linux, Foundation's methods return `[NSURL]`. The methods here return URLs. They take strings that are not optional: the
// compiler prefers methods that it can call without making arguments optional, and would otherwise find Foundation's equally
// good.
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
