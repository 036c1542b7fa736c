// What the Spotlight of former systems had to do with stores: code that still names these compiles. A store ignores such
// options.

/// Option: in which form a store wrote records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordsFileFormatOption = "NSExternalRecordsFileFormatOption"
/// Option: where a store wrote records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordsDirectoryOption = "NSExternalRecordsDirectoryOption"
/// Option: the extension of the files of records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordExtensionOption = "NSExternalRecordExtensionOption"
/// A value of `NSExternalRecordsFileFormatOption`.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSXMLExternalRecordType = "XML"
/// A value of `NSExternalRecordsFileFormatOption`.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSBinaryExternalRecordType = "binary"
