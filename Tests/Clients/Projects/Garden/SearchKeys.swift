//
//  SearchKeys.swift
//  Garden
//

import Foundation
import StackKit

typealias Expression = StackKit.Expression

extension Search {

    static var height: Expression { return Expression("height") }

}
