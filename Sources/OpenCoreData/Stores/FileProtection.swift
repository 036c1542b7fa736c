import Foundation

/// The option that asks for encrypted files.
///
/// Differs from Apple: taken and without effect; where files are protected is the business of the file system.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"

/// So that `FileProtectionType.complete as NSObject` compiles, which is how options are written.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout FileProtectionType?) {
    result = FileProtectionType(rawValue: String(source))
  }

  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> FileProtectionType {
    FileProtectionType(rawValue: source.map(String.init(_:)) ?? "")
  }
}
