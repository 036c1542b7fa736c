import Foundation

/// Versions of the sample store's model, as Xcode keeps them in a folder.
enum SampleModel {
  static let hostile = #"<script>alert("2")</script>'"&{{token}}"#

  /// As the sample store has it.
  static let first = person(
    #"<attribute name="password" optional="YES" attributeType="String"><userInfo><entry key="OCDSecret" value="YES"/></userInfo></attribute>"#
  )

  /// With two attributes more, whose default values are added to every row; the one of the secret one is in the statements.
  static let second = person(
    """
    <attribute name="password" optional="YES" attributeType="String"><userInfo><entry key="OCDSecret" value="YES"/></userInfo></attribute>
    <attribute name="nickname" attributeType="String" defaultValueString="nobody"/>
    <attribute name="pin" attributeType="String" defaultValueString="4711-O'Hara"><userInfo><entry key="OCDSecret" value="YES"/></userInfo></attribute>
    <attribute name="code" attributeType="Integer 64" defaultValueString="-918273"><userInfo><entry key="OCDSecret" value="YES"/></userInfo></attribute>
    """)

  /// With an attribute that must have a value, which some rows have not.
  static let strict = person(
    #"<attribute name="password" optional="YES" attributeType="String"><userInfo><entry key="OCDSecret" value="YES"/></userInfo></attribute>"#,
    picture: "")

  /// Texts that a page must escape, wherever a model may have any.
  static let dangerous = """
    <entity name="Thing" representedClassName="\(hostile.xml)" isAbstract="YES" elementID="\(hostile.xml)" versionHashModifier="\(hostile.xml)">
    <attribute name="text" optional="YES" attributeType="String" defaultValueString="\(hostile.xml)" elementID="\(hostile.xml)"/>
    <relationship name="others" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Other" inverseName="back" inverseEntity="Other"/>
    <userInfo><entry key="\(hostile.xml)" value="\(hostile.xml)"/></userInfo>
    </entity>
    <entity name="Other" parentEntity="Thing">
    <relationship name="back" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thing" inverseName="others" inverseEntity="Thing"/>
    </entity>
    <fetchRequest name="\(hostile.xml)" entity="Other" predicateString="\(#"text == "<script>alert(3)</script>""#.xml)"/>
    <configuration name="\(hostile.xml)"><memberEntity name="Other"/></configuration>
    """

  /// A name that is none.
  static let misnamed = #"<entity name="\#(hostile.xml)"/>"#

  private static func person(_ attributes: String, picture: String = #" optional="YES""#) -> String {
    """
    <entity name="Person">
    <attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="age" optional="YES" attributeType="Integer 32"/>
    <attribute name="born" optional="YES" attributeType="Date"/>
    <attribute name="picture"\(picture) attributeType="Binary"/>
    \(attributes)
    <relationship name="friend" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="friendOf" inverseEntity="Person"/>
    <relationship name="friendOf" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Person" inverseName="friend" inverseEntity="Person"/>
    </entity>
    """
  }

  /// Writes a folder of versions; the last one is the current one.
  static func write(_ name: String, in folder: URL, _ versions: [(name: String, entities: String)]) throws -> URL {
    let url = folder.appendingPathComponent(name)
    for version in versions {
      let place = url.appendingPathComponent(version.name + ".xcdatamodel")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(version.entities)
        </model>
        """
      try Data(text.utf8).write(to: place.appendingPathComponent("contents"))
    }
    let current = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\((versions.last?.name ?? "").xml).xcdatamodel</string></dict></plist>
      """
    try Data(current.utf8).write(to: url.appendingPathComponent(".xccurrentversion"))
    return url
  }

  /// The first and the second version, in a folder of their own.
  static func people() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-models-\(UUID().uuidString)")
    return try write(
      "People.xcdatamodeld", in: folder, [("People", first), ("Strict", strict), ("People 2", second)])
  }
}

extension String {
  /// For an attribute of XML.
  var xml: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;")
  }
}
