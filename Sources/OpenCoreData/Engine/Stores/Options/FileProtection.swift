import Foundation

/// The option that asks for encrypted files.
///
/// Differs from Apple (D-STO-01): taken and without effect; where files are protected is the business of the file
/// system.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"

/// Makes `FileProtectionType.complete as NSObject` compile, which is how options are written.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  /// The raw value.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// The type of a raw value.
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout FileProtectionType?) {
    result = FileProtectionType(rawValue: String(source))
  }

  /// The type of a raw value; there is one for each.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  /// The type of a raw value; an empty one for nil.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> FileProtectionType {
    FileProtectionType(rawValue: source.map(String.init(_:)) ?? "")
  }
}
